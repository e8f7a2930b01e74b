import fc from 'fast-check'

export type Values = Readonly<Record<string, readonly string[]>>

const PARTS = [
  'nobody',
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  'a%2Fb',
  'a%2Fb%2Fstatus',
  '%00',
  '%0d%0a',
  '%',
  '%zz',
  '%F0%9F',
  '%ED%A0%80',
  '%25',
  '%F0%9F%98%80',
  '*',
  ';a=b',
  '__proto__',
  'constructor',
  'x'.repeat(65),
  'x'.repeat(20_000),
  '%41'.repeat(3_000),
]
const QUERIES = [
  '',
  '?',
  '?x',
  '?=',
  '?&&&',
  '?__proto__=1',
  '?constructor=1',
  '?a[]=1&a[b]=2',
  '?%',
  '?%zz=%zz',
  '?%00=%00',
  `?x=${'x'.repeat(20_000)}`,
  `?${'x=1&'.repeat(3_000)}`,
]
const ODD = ['', ' ', '0', '-1', '1e400', 'NaN', 'null', '%zz', '%00', '%F0%9F', '[]', 'x'.repeat(5_000)]

export function paths(route: string, known: Values): fc.Arbitrary<string> {
  const parts = route.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(part)
    const good = (known[part.slice(1)] ?? ['nobody']).map((value) => encodeURIComponent(value))
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...good) },
      { weight: 1, arbitrary: fc.constantFrom(...PARTS) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }).map(encodeURIComponent) },
    )
  })
  return fc.tuple(...parts).map((chosen) => chosen.join('/'))
}

export function queries(names: readonly string[], known: Values): fc.Arbitrary<string> {
  const pairs = names.map((name) => {
    const good = (known[name] ?? ['1']).map((value) => encodeURIComponent(value))
    const value = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...good) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD) },
    )
    return value.map((text) => `${name}=${text}`)
  })
  const some = fc
    .subarray(pairs)
    .chain((chosen) => fc.tuple(...chosen))
    .map((chosen) => `?${chosen.join('&')}`)
  return fc.oneof(
    { weight: 6, arbitrary: some },
    { weight: 1, arbitrary: some.map((query) => `${query}&${query.slice(1)}`) },
    { weight: 2, arbitrary: fc.constantFrom(...QUERIES) },
  )
}
