import { describe, expect, test } from 'vitest'
import type { Purpose } from '../../server/privacy/fingerprints.ts'
import { Secret } from '../../server/config/secret.ts'
import { createFingerprints } from '../../server/privacy/fingerprints.ts'

const created = (...secrets: [string, ...string[]]) => {
  const [current, ...previous] = secrets
  return createFingerprints([new Secret(current), ...previous.map((text) => new Secret(text))])
}

describe('a fingerprint', () => {
  test.each<[Purpose, string, string]>([
    ['phone', '254700000123', '+254 700-000-123'],
    ['phone', '254700000123', '\u202a00254 (0)700\u2011000\u2011123\u202c'],
    ['email', 'asha@example.com', ' Asha@Example.COM\u200b '],
    ['account', 'KE12AB34', 'ke12 ab\u201034\u200b'],
    ['terms', '{"a":1}', '{"a":1}'],
    ['attempt', '["A-1",1]', '["A-1",1]'],
  ])('is the same for each spelling of the same %s', (purpose, one, other) => {
    const fingerprint = (value: string) => created('a secret').of(purpose, value)
    expect(fingerprint(one)).toMatch(/^[\w-]{22}$/)
    expect(fingerprint(other)).toBe(fingerprint(one))
    expect(fingerprint(`${one}0`)).not.toBe(fingerprint(one))
  })

  test('differs between purposes and between secrets', () => {
    const purposes = ['phone', 'email', 'account', 'terms', 'attempt'] as const
    const values = ['a secret', 'another'].flatMap((secret) =>
      purposes.map((purpose) => created(secret).of(purpose, '254700000123')),
    )
    expect(new Set(values).size).toBe(10)
  })
})
