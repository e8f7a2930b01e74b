// The tag as the shop writes it: as HTML, as a text for developers, and as attributes.

import { CURRENCY, SHOP_HELP, SHOP_METHODS, SHOP_NAME } from './goods.ts'

import type { RenderCheckoutOptions } from '../../server/checkouts/markup.ts'
import type { Settings } from './settings.ts'

// For this phone number, the visitor chooses the result on the hosted page.
const CUSTOMER = { payerName: 'Asha Mwangi', payerEmail: 'asha@example.com', payerMsisdn: '+254700000001' }

/** The attributes that the settings change. */
export const ATTRIBUTES_OF_SETTINGS = ['launch', 'lang', 'theme', ...Object.keys(CUSTOMER).map(attributeName)]

export function scriptAddress(bff: string): string {
  return `${bff}/gateway-checkout.js`
}

/** Returns the HTML with which a page shows the tag. */
export function renderSnippet(settings: Settings, order: string, bff: string): string {
  const attributes = Object.entries(tagAttributes(settings, order, bff))
  return [
    `<script type="module" src="${scriptAddress(bff)}"></script>`,
    `<gateway-checkout`,
    ...attributes.map(([name, value]) => `  ${name}="${value}"`),
    `></gateway-checkout>`,
    `<script>`,
    `  document.addEventListener('checkout-paid', ({ detail }) => {`,
    `    console.log(detail.order, 'is paid')`,
    `  })`,
    `</script>`,
  ].join('\n')
}

export function tagOptions(settings: Settings, bff: string): RenderCheckoutOptions {
  const { amount, launch, lang, theme, payer } = settings
  const terms = { amount: `${CURRENCY} ${amount}`, payee: SHOP_NAME, methods: SHOP_METHODS, help: SHOP_HELP }
  return { server: bff, ...terms, country: 'KE', launch, lang, theme, ...(payer === 'known' ? CUSTOMER : {}) }
}

export function tagAttributes(settings: Settings, order: string, bff: string): Record<string, string> {
  const { server, ...options } = tagOptions(settings, bff)
  const entries = Object.entries({ server, order, ...options })
  return Object.fromEntries(entries.map(([name, value]) => [attributeName(name), String(value)]))
}

/** Writes the name of an option as an attribute: `payerName` as "payer-name". */
function attributeName(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
