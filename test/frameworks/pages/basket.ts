const given = new URLSearchParams(location.search)

export const basket = {
  order: given.get('order') ?? '',
  server: given.get('server') ?? '',
  begins: given.has('begins'),
}
