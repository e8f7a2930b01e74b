/** Describes what the element shows without a checkout. Pure. */

import { buttonWords } from './button-words.ts'
import { isDisabled } from './checkout-settings.ts'
import { langOf } from './language.ts'
import { offeredAmount, termsText } from './terms.ts'

import type { Look } from './button.ts'
import type { ElementHost } from './element-host.ts'
import type { CheckoutState } from './session/state.ts'

/**
 * Returns what the element shows without a checkout.
 *
 * @param state In the state `waiting`, the button is hidden, because the element looks for a checkout.
 */
export function idleLook({ element, environment }: ElementHost, state: CheckoutState, isBusy: boolean): Look {
  const { words, amount, label, payee } = element
  const { language, dir, pay } = buttonWords(langOf(element, environment), words)
  const offered = offeredAmount(amount, language)
  const text = state === 'waiting' ? '' : label || [pay, offered].filter(Boolean).join(' ')
  return {
    state,
    isBusy,
    isDisabled: isDisabled(element),
    language,
    dir,
    text,
    terms: termsText(label && offered, payee),
  }
}
