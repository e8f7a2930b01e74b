import { expect, test } from 'vitest'

import { returnAddress, serverBase } from '../../../widget/button/checkout-settings.ts'

test('a server may be written as people write it', () => {
  expect(serverBase('https://pay.test/', 'https://shop.test/a')).toBe('https://pay.test')
  expect(serverBase('/pay/', 'https://shop.test/a')).toBe('https://shop.test/pay')
  expect(serverBase('javascript:alert(1)', 'https://shop.test/a')).toBeNull()
  for (const frame of ['about:srcdoc', 'blob:https://shop.test/4d7a']) {
    expect(serverBase('/pay', frame)).toBeNull()
    expect(serverBase('https://pay.test', frame)).toBe('https://pay.test')
  }
})

test.each([
  ['', 'https://shop.test/cart?a=1#/orders/7', 'https://shop.test/cart?a=1#/orders/7'],
  ['', `https://shop.test/cart?fbclid=${'x'.repeat(2_000)}`, 'https://shop.test/cart'],
  ['/thanks', 'https://shop.test/cart#top', 'https://shop.test/thanks'],
  ['#/orders/7', 'https://shop.test/cart#top', 'https://shop.test/cart#/orders/7'],
  ['', 'capacitor://localhost/cart', 'capacitor://localhost/cart'],
  ['', 'about:srcdoc', ''],
  ['', 'blob:https://shop.test/4d7a', ''],
])('with return-url="%s", the shopper comes back from %s to %s', (given, page, url) => {
  expect(returnAddress(given, page)).toBe(url)
})
