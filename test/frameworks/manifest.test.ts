// The names and types of attributes, members, events, slots, parts and custom properties are those of
// `test/public.txt`.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { customElements } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
const { modules } = JSON.parse(readFileSync(`widget/${customElements}`, 'utf8'))

test('the manifest declares one element, and says where it is and where it gets its name', () => {
  expect(modules).toMatchObject([
    {
      path: 'dist/index.js',
      declarations: [{ name: 'GatewayCheckout', tagName: 'gateway-checkout' }],
      exports: [{ kind: 'js', name: 'GatewayCheckout' }],
    },
    {
      path: 'dist/define.js',
      declarations: [],
      exports: [{ kind: 'custom-element-definition', name: 'gateway-checkout' }],
    },
  ])
})
