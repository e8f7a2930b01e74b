/**
 * What scripts without a framework may write, and Angular's templates, which are checked as if they had written it.
 * Compiled by `npm run check`, where an error that is expected must be there.
 */

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

// @ts-expect-error What is shown is not for the page to say.
tag.state = 'paid'
// @ts-expect-error There is no such way to launch.
tag.launch = 'pop-up'
// @ts-expect-error It speaks no German.
tag.words = { de: { pay: 'Bezahlen' } }
// @ts-expect-error A sentence has a title and an explanation.
tag.words = { en: { sentence: { paid: 'Thank you' } } }
// @ts-expect-error Before the first press there is no view.
tag.addEventListener('checkout-open', ({ detail }) => detail.order)
// @ts-expect-error A misspelled event has no detail.
tag.addEventListener('checkout-payed', ({ detail }) => detail.order)
// @ts-expect-error Nor has it one on the document.
document.addEventListener('checkout-payed', ({ detail }) => detail.order)
// @ts-expect-error The element has no such event.
new CheckoutEvent('checkout-payed', tag.checkout)
// @ts-expect-error No error has this code.
tag.addEventListener('checkout-error', ({ detail }) => detail.code === 'popup_block')
// @ts-expect-error No error has this code.
tag.words = { en: { failure: { order_unknwon: ['Order not found', ''] } } }
