import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isAllowedReturn } from '../../server/routes/allowed-pages.ts'
import { problemsOf } from '../support/least-config.ts'
import { readSources } from '../support/source-tree.ts'
import { createWorld, SHOP } from '../support/world.ts'
import { posted } from '../support/sandbox-line.ts'

const THROWING: readonly unknown[] = [
  { length: { toString: 1 } },
  { size: { toString: 1, valueOf: 1 } },
  { toString: 1, valueOf: 1, toJSON: 1 },
  [{ length: { valueOf: 1, toString: null } }],
]

// Once Node 20 has optimized it, URL.canParse accepts this host, and new URL throws.
const LATIN = 'http://\u00de\u009b'

test('text that optimized code takes for a URL is refused all the same', () => {
  const isAllowed = (url: string) => isAllowedReturn(url, [SHOP])
  for (let round = 0; round < 20_000; round++)
    expect(isAllowed(round % 2 ? SHOP : LATIN)).toBe(round % 2 === 1)
  const users = readSources('server', 'demo').filter(({ path }) =>
    /URL\.canParse\(/.test(readFileSync(path, 'utf8')),
  )
  expect(users.map(({ path }) => path)).toEqual([])
})

test('no schema compares the length of a value that may have another type', () => {
  const isHasty = (text: string) => /z\s*\.(string|array)\([^)]*\)\s*\.(min|max|length|nonempty)\(/.test(text)
  const files = readSources('server', 'demo').filter(({ path }) => isHasty(readFileSync(path, 'utf8')))
  expect(files.map(({ path }) => path)).toEqual([])
})

describe('a value on which a parser throws, elsewhere:', () => {
  test.each(THROWING)('in ORDER_PUBLIC_KEYS, it is named as a problem of the configuration', (value) => {
    for (const keys of [value, [{ kid: value }], [{ kid: 'a', crv: value }]])
      expect(problemsOf({ ORDER_PUBLIC_KEYS: JSON.stringify({ keys }) })).toEqual([
        expect.stringContaining('ORDER_PUBLIC_KEYS must be'),
      ])
  })

  test.each(THROWING)('in a fault of the sandbox, it is refused', async (route) => {
    const { sandbox } = await createWorld()
    const answer = await sandbox.app.request('/_sandbox/faults', posted({ fault: 'html', route }))
    expect(answer.status).toBe(400)
  })
})
