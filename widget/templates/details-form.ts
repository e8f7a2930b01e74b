/** Asks for what the page did not say about the payer. */

import { element } from '../drawing.ts'

import type { Drawing } from '../drawing.ts'
import type { Words } from '../locale.ts'
import type { PayerField } from '../payer.ts'
import type { Details } from '../session/state.ts'

export interface DetailsContext {
  details: Details
  /** What to ask for. */
  fields: readonly PayerField[]
  words: Words
  /** Whether national phone numbers can be completed. */
  hasCountry: boolean
  submit: (typed: Partial<Record<PayerField, string>>) => void
  cancel: () => void
}

/** What browsers call each field, and how they ask for it. */
const KINDS = {
  payer_name: ['name', 'text'],
  payer_email: ['email', 'email'],
  payer_msisdn: ['tel', 'tel'],
} as const satisfies Record<PayerField, readonly [string, string]>

/** The browser's own validation is off: its bubbles speak the browser's language, not the shopper's. */
export function detailsForm(context: DetailsContext): Drawing {
  const { fields, words, submit, cancel } = context
  const onsubmit = (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement)) return
    const inputs = [...form.querySelectorAll('input')]
    submit(Object.fromEntries(inputs.map(({ name, value }) => [name, value])))
  }
  return element(
    'form',
    { part: 'form', novalidate: true, 'aria-labelledby': 'title', onsubmit },
    element('strong', { id: 'title' }, words.payer),
    ...fields.map((field) => input(field, context)),
    element('button', { part: 'button', class: 'primary' }, words.next),
    element('button', { type: 'button', onclick: cancel }, words.cancel),
  )
}

function input(field: PayerField, { details, words, hasCountry }: DetailsContext): Drawing {
  const isWrong = details.problems.includes(field)
  const [autocomplete, type] = KINDS[field]
  const hint = type === 'tel' && !hasCountry ? words.hint : ''
  const describedBy = `${field}-hint`
  return element(
    'div',
    { part: 'field' },
    element('label', { for: field }, words[field]),
    element('input', {
      part: 'input',
      id: field,
      name: field,
      type,
      autocomplete,
      maxlength: '100',
      value: details.draft[field],
      'aria-required': 'true',
      'aria-invalid': String(isWrong),
      'aria-describedby': describedBy,
    }),
    element('p', { class: 'soft', id: describedBy }, isWrong ? words.problem[field] : hint),
  )
}
