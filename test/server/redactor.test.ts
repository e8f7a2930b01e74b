import { describe, expect, test } from 'vitest'
import { createRedactor, maskName, maskNumber } from '../../server/privacy/redactor.ts'

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

test.each([
  ['Asha', 'A***'],
  [' Ünal', 'Ü***'],
  ['💳 Ltd', '💳***'],
  ['', '***'],
])('the mask of the name %j is %j', (name, mask) => expect(maskName(name)).toBe(mask))

test.each([
  ['254700000001', '***001'],
  ['400200', '***'],
  ['2547*****001', '***001'],
  ['ACCOUNT 💳01', '***💳01'],
])('the mask of the number %j is %j', (number, mask) => expect(maskNumber(number)).toBe(mask))
