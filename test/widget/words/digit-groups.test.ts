import { expect, test } from 'vitest'

import { groupDigits } from '../../../widget/words/digit-groups.ts'

test.each([
  ['+254700000001', '+254 700 000 001'],
  ['+256772123456', '+256 772 123 456'],
  ['+12025550123', '+1 202 555 0123'],
  ['+2348012345678', '+234 801 234 5678'],
  ['0712345678', '0712 345 678'],
  ['0771234567', '0771 234 567'],
])('the number %s is written as %s', (number, written) => {
  expect(groupDigits(number)).toBe(written)
})

test.each(['', '07123', '+254', '0712 345678', '254700000001', 'Asha', 'a1@example.com', '٠٧١٢٣٤٥٦٧٨'])(
  'what the shopper has written otherwise stays: %j',
  (text) => {
    expect(groupDigits(text)).toBe(text)
  },
)
