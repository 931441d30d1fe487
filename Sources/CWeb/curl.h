/* libcurl. Swift cannot import its variadic functions: here is one for each type of their last argument. */
#ifndef QUICKVAULT_CURL_H
#define QUICKVAULT_CURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_context(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_headers(CURL *handle, struct curl_slist *value) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}
/* For CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION. */
static inline CURLcode ccurl_set_callback(
    CURL *handle, CURLoption option, size_t (*value)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_progress(CURL *handle, curl_xferinfo_callback value) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}
static inline long ccurl_number(CURL *handle, CURLINFO information) {
  long value = 0;
  return curl_easy_getinfo(handle, information, &value) == CURLE_OK ? value : 0;
}
/* The text belongs to the handle; null for none. */
static inline const char *ccurl_text(CURL *handle, CURLINFO information) {
  char *value = 0;
  return curl_easy_getinfo(handle, information, &value) == CURLE_OK ? value : 0;
}

#endif
