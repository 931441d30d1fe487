/* The least that a program on the other end of the pipes can do: it reads frames with a Content-Length header and
   writes each back as it came. What a request costs beyond this is the server's own. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { capacity = 1 << 20 };

static char buffer[capacity + 1];

/* The size of the frame that the buffer begins with, header and content; 0 where it has not come in whole, -1 where
   there is no frame. */
static long frame_size(size_t filled) {
  buffer[filled] = 0;
  char *blank = strstr(buffer, "\r\n\r\n");
  if (!blank) return filled == capacity ? -1 : 0;
  char *length = strstr(buffer, "Content-Length:");
  if (!length || length > blank) return -1;
  long content = strtol(length + strlen("Content-Length:"), NULL, 10);
  long header = blank - buffer + 4;
  if (content < 0 || content > capacity - header) return -1;
  return (size_t)(header + content) <= filled ? header + content : 0;
}

static int write_all(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(1, bytes, count);
    if (written <= 0) return -1;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

int main(void) {
  size_t filled = 0;
  for (;;) {
    long size = frame_size(filled);
    if (size < 0) return 1;
    if (size > 0) {
      if (write_all(buffer, (size_t)size)) return 1;
      filled -= (size_t)size;
      memmove(buffer, buffer + size, filled);
      continue;
    }
    ssize_t count = read(0, buffer + filled, capacity - filled);
    if (count <= 0) return count < 0;
    filled += (size_t)count;
  }
}
