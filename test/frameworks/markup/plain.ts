// `npm run check` fails if an expected type error is missing.

import { CheckoutEvent } from 'gateway-checkout'

import type {} from 'gateway-checkout/define'

const tag = document.createElement('gateway-checkout')

tag.payerName = 'Asha Mwangi'
tag.words = {
  en: { pay: 'Pay now', sentence: { paid: ['Thank you', ''] }, failure: { gateway_refused: ['No', ''] } },
}
tag.addEventListener('checkout-paid', ({ detail }) => detail.order)
tag.addEventListener('checkout-error', ({ detail }) => detail.code === 'popup_blocked')
document.addEventListener('checkout-paid', ({ detail }) => detail.order)
window.addEventListener('checkout-error', ({ detail }) => detail.retryable)
new CheckoutEvent('checkout-paid', tag.checkout)

// @ts-expect-error `state` is read-only.
tag.state = 'paid'
// @ts-expect-error There is no such launch mode.
tag.launch = 'pop-up'
// @ts-expect-error German is not a supported language.
tag.words = { de: { pay: 'Bezahlen' } }
// @ts-expect-error A message is a pair of title and detail.
tag.words = { en: { sentence: { paid: 'Thank you' } } }
// @ts-expect-error The detail of `checkout-open` may be null.
tag.addEventListener('checkout-open', ({ detail }) => detail.order)
// @ts-expect-error A misspelled event has no detail.
tag.addEventListener('checkout-payed', ({ detail }) => detail.order)
// @ts-expect-error On the document too, a misspelled event has no detail.
document.addEventListener('checkout-payed', ({ detail }) => detail.order)
// @ts-expect-error The element has no such event.
new CheckoutEvent('checkout-payed', tag.checkout)
// @ts-expect-error No error has this code.
tag.addEventListener('checkout-error', ({ detail }) => detail.code === 'popup_block')
// @ts-expect-error No error has this code.
tag.words = { en: { failure: { order_unknwon: ['Order not found', ''] } } }
