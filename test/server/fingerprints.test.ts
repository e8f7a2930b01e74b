import { describe, expect, test } from 'vitest'
import type { Purpose } from '../../server/fingerprints.ts'
import { Secret } from '../../server/config/secret.ts'
import { createFingerprints } from '../../server/fingerprints.ts'
import { createRedactor } from '../../server/redactor.ts'

const created = (...secrets: [string, ...string[]]) => {
  const [current, ...previous] = secrets
  return createFingerprints([new Secret(current), ...previous.map((text) => new Secret(text))])
}

describe('a fingerprint', () => {
  test.each<[Purpose, string, string]>([
    ['phone', '254700000123', '+254 700-000-123'],
    ['email', 'asha@example.com', ' Asha@Example.COM '],
    ['account', 'KE12AB34', 'ke12 ab-34'],
    ['terms', '{"a":1}', '{"a":1}'],
  ])('is the same for each spelling of the same %s', (purpose, one, other) => {
    const fingerprint = (value: string) => created('a secret').of(purpose, value)
    expect(fingerprint(one)).toMatch(/^[\w-]{22}$/)
    expect(fingerprint(other)).toBe(fingerprint(one))
    expect(fingerprint(`${one}0`)).not.toBe(fingerprint(one))
  })

  test('differs between purposes and between secrets', () => {
    const purposes = ['phone', 'email', 'account', 'terms'] as const
    const values = ['a secret', 'another'].flatMap((secret) =>
      purposes.map((purpose) => created(secret).of(purpose, '254700000123')),
    )
    expect(new Set(values).size).toBe(8)
  })

  test('of the previous secret is still recognized', () => {
    const old = created('old').of('phone', '254700000123')
    expect(created('new', 'old').all('phone', '254700000123')).toContain(old)
    expect(created('new', 'old').of('phone', '254700000123')).toBe(created('new').of('phone', '254700000123'))
    expect(created('new').all('phone', '254700000123')).not.toContain(old)
  })
})

describe('a redactor', () => {
  const redact = createRedactor({
    phones: ['254700000123', null, undefined],
    texts: ["Wambui O'Planted (Jr.)", 'planted@example.com', 'KE-77/1', '', null],
  })

  test.each([
    ['Invalid number 0700 000 123.', 'Invalid number ***.'],
    ['call +254-700-000-123, please', 'call ***, please'],
    ['1500 KES from 254700000123', '1500 KES from ***'],
    ["WAMBUI O'PLANTED (JR.) has no wallet", '*** has no wallet'],
    ['No wallet of wambui', 'No wallet of ***'],
    ['mail planted@example.com; account KE-77/1', 'mail ***; account ***'],
    ['another number: 254700000124', 'another number: 254700000124'],
    ['transaction 8254700000123999999', 'transaction 8254700000123999999'],
    ['Wambuis and KE-77/12', 'Wambuis and KE-77/12'],
    ['', ''],
  ])('turns %j into %j', (text, redacted) => expect(redact(text)).toBe(redacted))

  test('without personal data changes nothing', () => {
    expect(createRedactor({})('Asha 254700000123')).toBe('Asha 254700000123')
  })

  test('takes linear time for long texts', () => {
    const long = '1 '.repeat(50_000)
    expect(redact(long)).toBe(long)
  })
})
