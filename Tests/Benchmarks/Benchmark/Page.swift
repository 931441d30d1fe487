/// The page with all results, in Markdown.
struct Page {
  let machine: [(name: String, value: String)]
  let overview: String
  let tables: String

  var text: String {
    """
    # Benchmark results

    `make bench-record` measured this and wrote this page.

    ![Time by number of cards](plot.svg)

    \(machine.map { "- \($0): \($1)" }.joined(separator: "\n"))

    ## Overview

    All values are medians. A **floor** is the same work done by the least code that could do it, measured in the same
    rounds. A **target** was set when the program was designed. Where a cell has several values, they are for the numbers of
    cards in order.

    \(overview)
    For small requests and durable writes, client, server and floor share one core: on a virtual machine, waking a
    sleeping core takes longer than the request. Creating a card writes two pages to the log, the card's and that of the
    head record that authenticates all records; the bare commit writes one. Search and unlock read every card, so they
    grow with the number of cards; nothing else does.

    Emacs, Vim and Neovim measure themselves, in a terminal and with their own clocks, with 10,000 cards and in a new editor
    each round: from the arrival of a key until what it asks for is on the screen. The vault has the key derivation of a new
    one, which counts. Of the letters that are typed in the search, the slowest counts; the delay in which Emacs waits for
    more letters does not. The client of Emacs is byte-compiled. The floor is a program that sends the same requests and
    shows nothing.

    ## All measurements

    \(tables)
    """
  }
}
