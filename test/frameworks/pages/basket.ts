/** The data that a shop's server would write into its page, read from the URL's query. */

const given = new URLSearchParams(location.search)

export const basket = {
  order: given.get('order') ?? '',
  server: given.get('server') ?? '',
  /** Whether the page starts the checkout on load. */
  begins: given.has('begins'),
}
