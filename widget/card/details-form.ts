/** The form for the payer's details, which the browser validates and the element explains in the shopper's language. */

import { isDisabled } from '../button/checkout-settings.ts'
import { offeredAmount, termsText } from '../button/idle-look.ts'
import { operatorOfNumber } from '../state/operator.ts'
import { SHORTEST_NUMBER } from '../state/payer.ts'
import { groupDigits } from '../words/digit-groups.ts'
import { describeOperator } from '../words/sentence-choice.ts'
import { html } from './lit.ts'

import type { PayerField } from '../state/payer.ts'
import type { Details } from '../state/state.ts'
import type { RenderContext } from './facts.ts'

const KINDS = {
  payer_name: { autocomplete: 'name', type: 'text' },
  payer_email: { autocomplete: 'email', type: 'email' },
  payer_msisdn: { autocomplete: 'tel', type: 'tel' },
} as const satisfies Record<PayerField, object>

/**
 * Renders the form for the payer's details. The browser validates the fields. The element shows the error messages in
 * the shopper's language.
 */
export function detailsForm({ problems }: Details, context: RenderContext) {
  const { words, element, details, submit, cancel } = context
  const fields = details.shownFields(problems)

  const submitFields = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    const inputs = [...form.querySelectorAll('input')]
    // Pasted text may have invisible characters, which browsers refuse in an e-mail address. Names need joiners.
    for (const input of inputs) {
      input.value = input.value.replace(/(?!\p{Join_C})\p{Cf}/gu, '').trim()
    }

    const firstInvalid = form.querySelector(':invalid')
    // Screen readers read an input with its hint when it gets the focus. The hint of an input that has the focus
    // already is announced instead.
    for (const input of inputs) {
      const isAnnounced = input === firstInvalid && input.matches(':focus')
      const hint = input.nextElementSibling
      hint?.setAttribute('aria-live', isAnnounced ? 'polite' : 'off')
      if (isAnnounced && input.ariaInvalid === 'true') {
        toggleSpace(hint)
      }
    }

    submit(
      Object.fromEntries(inputs.map(({ name, value }) => [name, value])),
      fields.filter((field) => form.querySelector(`#${field}:invalid`)),
    )
  }

  // Screen readers announce the operator while the number is typed, and only if it changes: a live region does that.
  const nameOperator = ({ target }: Event & { target: HTMLInputElement }) => {
    target.nextElementSibling?.setAttribute('aria-live', 'polite')
    element.requestUpdate()
  }

  // The button of a prompt says the amount.
  const amount = offeredAmount(element.amount, words.language)
  const terms = details.asksPhone ? element.payee : termsText(amount, element.payee)
  const pay = [words.pay, amount].filter(Boolean).join(' ')
  return html`<form
    part="form"
    novalidate
    aria-labelledby="form-name"
    @input=${nameOperator}
    @submit=${submitFields}
  >
    <div>
      <strong id="form-name" .textContent=${words.payerDetails}></strong>
      <p part="terms" class="soft" .textContent=${terms}></p>
    </div>
    ${fields.map((field) => input(field, problems, context))}
    <button
      part="button"
      ?disabled=${isDisabled(element)}
      .textContent=${details.asksPhone ? pay : words.next}
    ></button>
    <button type="button" class="plain" @click=${cancel} .textContent=${words.cancel}></button>
  </form>`
}

/** Appends a space to a text, or removes it: a live region announces a text again only if the text changes. */
function toggleSpace(hint: Element | null): void {
  if (hint) {
    hint.textContent = `${hint.textContent}\u00a0`.replace('\u00a0\u00a0', '')
  }
}

/** Groups the digits of a field that the shopper has left: while a number is typed, the caret would move. */
function groupTyped({ target }: Event & { target: HTMLInputElement }): void {
  target.value = groupDigits(target.value)
}

/** Renders a field for one of the payer's details. The operator that a number belongs to stands where the example stood. */
export function input(field: PayerField, problems: readonly PayerField[], context: RenderContext) {
  const { details, words, element, methods } = context
  const { autocomplete, type } = KINDS[field]
  const shown = element.shadowRoot?.querySelector<HTMLInputElement>(`#${field}`)
  const value = details.typed[field] ?? groupDigits(details.payer()[field])
  // What was sent stays wrong: the BFF may have refused what the browser accepts.
  const isCorrected = shown?.validity.valid && shown.value !== value
  const isWrong = problems.includes(field) && !isCorrected
  const isNumber = field === 'payer_msisdn'
  const operator = isNumber && methods ? operatorOfNumber(shown?.value ?? value, methods) : null
  const example = isNumber ? words.msisdnExample : ''
  const hint = operator ? describeOperator(operator, words) : example
  return html`<div part="field">
    <label for=${field} .textContent=${words[field]}></label>
    <input
      part="input"
      id=${field}
      name=${field}
      type=${type}
      dir="auto"
      autocomplete=${autocomplete}
      required
      .value=${value}
      @change=${groupTyped}
      pattern=".{${isNumber ? SHORTEST_NUMBER : 1},}"
      aria-invalid=${isWrong}
      aria-describedby="${field}-hint"
    />
    <p
      part=${isWrong ? 'error' : ''}
      class=${operator?.away && !isWrong ? 'soft away' : 'soft'}
      id="${field}-hint"
      .textContent=${isWrong ? words.problem[field] : hint}
    ></p>
  </div>`
}
