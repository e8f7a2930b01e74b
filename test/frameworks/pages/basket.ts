/** What a shop's server would write into its page; here it stands in the address. */

const given = new URLSearchParams(location.search)

export const basket = {
  order: given.get('order') ?? '',
  server: given.get('server') ?? '',
  /** Whether the page begins by itself, without a press. */
  begins: given.has('begins'),
}
