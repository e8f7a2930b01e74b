// The fields of the portal's forms: how each is read and shown. Each message is a sentence that starts with the label
// of its field.

import { html } from 'hono/html'
import { z } from 'zod'

import { compare } from '../../../server/contract/decimal.ts'
import { isKeyOf } from '../../../server/contract/parse.ts'
import { firstCharacters } from '../../../server/contract/text.ts'
import { isPayableAmount, readAmount } from '../money/amounts.ts'
import { emailOf } from '../users/users.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Problems } from './page.ts'

/** How a field is shown. */
export interface Look {
  readonly label: string
  /** The value of a `checkbox` is `on` if it is ticked, and the empty text otherwise. Default: `text`. */
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'checkbox'
  readonly hint?: string
  readonly isOptional?: true
  readonly autocomplete?: string
  readonly inputmode?: 'decimal'
  /** By value: the text of the choice. */
  readonly choices?: (merchant: Merchant) => Readonly<Record<string, string>>
}

/** By the schema of a field: how it is shown. A field without a look is hidden. */
export const LOOKS = z.registry<Look>()

export function hidden(name: string, value: string) {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

/** By type: what is sent instead of the value. A password is never sent back. */
const SENT_AS: Partial<Record<string, string>> = { password: '', checkbox: 'on' }

/** Returns a field with its label, its problem and its hint. */
export function fieldOf(
  { name: form, problems }: { name: string; problems: Problems },
  name: string,
  look: Look,
  value: string,
  merchant: Merchant,
) {
  const { label, type = 'text', hint = '', autocomplete = 'off', inputmode = 'text', isOptional } = look
  const id = `${form}-${name}`
  const problem = problems[name]
  const remarks = [problem && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const attributes = html`id="${id}" name="${name}" aria-describedby="${remarks}"
  aria-invalid="${problem !== undefined}" ${Object.keys(problems)[0] === name ? 'autofocus' : ''}`
  const optionOf = ([key, text]: [string, string]) =>
    html`<option value="${key}" ${key === value ? 'selected' : ''}>${text}</option>`
  const input = look.choices
    ? html`<select ${attributes} ${isOptional ? '' : 'required'}>
        ${isOptional || value === '' ? html`<option value="">${isOptional ? 'All' : 'Choose…'}</option>` : ''}
        ${Object.entries(look.choices(merchant)).map(optionOf)}
      </select>`
    : html`<input
        ${attributes}
        type="${type}"
        value="${SENT_AS[type] ?? value}"
        autocomplete="${autocomplete}"
        inputmode="${inputmode}"
        ${isOptional ? '' : 'required'}
        ${type === 'checkbox' && value === 'on' ? 'checked' : ''}
        dir="auto"
        spellcheck="false"
      />`
  return html`<div class="field">
    <label for="${id}">${label}</label> ${input}
    ${problem && html`<span class="error" id="${id}-error">${problem}</span>`}
    ${hint && html`<small id="${id}-hint">${hint}</small>`}
  </div>`
}

/**
 * How many characters a line may have: a name or a bank reference, and what may be as long as a payer's name. [spec:
 * Limits]
 */
export const SHORT = 60
export const LONG = 100

type Text<T extends string = string> = z.ZodType<T, string>

export function line(label: string, most: number, hint = ''): Text {
  return z
    .string()
    .trim()
    .refine((text) => text !== '', `${label} is required.`)
    .refine((text) => firstCharacters(text, most) === text, `${label} must have at most ${most} characters.`)
    .refine((text) => !/\p{Cc}/u.test(text), `${label} must be one line of text.`)
    .register(LOOKS, { label, hint })
}

const EMAIL = 'E-mail address'
export const email: Text = line(EMAIL, LONG)
  .transform(emailOf)
  .refine((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), `${EMAIL} must be like name@shop.example.`)
  .register(LOOKS, { label: EMAIL, type: 'email' })

// The hash of a long text takes long.
const MAX_OF_PASSWORD = 128

/** A password that is compared with another: a longer one is wrong, too. */
export function password(label: string, autocomplete: string): Text {
  const schema = z.string().refine((text) => text.length <= MAX_OF_PASSWORD, `${label} is wrong.`)
  return schema.register(LOOKS, { label, type: 'password', autocomplete })
}

export function amount(label: string, most: Decimal): Text {
  return z
    .string()
    .transform((text) => readAmount(text) ?? text)
    .refine(isPayableAmount, `${label} must be a number above 0 with at most two fraction digits.`)
    .refine((text) => !isPayableAmount(text) || compare(text, most) <= 0, `${label} must be at most ${most}.`)
    .register(LOOKS, { label, inputmode: 'decimal' })
}

export function ticked(label: string): Text {
  const schema = z.string().refine((text) => text === 'on', `${label}: tick the box.`)
  return schema.register(LOOKS, { label, type: 'checkbox' })
}

export function choice<K extends string>(label: string, choices: Readonly<Record<K, string>>): Text<K> {
  const schema = z.string().refine(isKeyOf(choices), `${label} must be one of the list.`)
  return schema.register(LOOKS, { label, choices: () => choices })
}

/** The number of a float account. Whether the merchant has it is checked where it is used. */
export const account: Text = z.string().register(LOOKS, {
  label: 'Account',
  choices: ({ accounts }) =>
    Object.fromEntries(accounts.map(({ number, currency }) => [number, `${number} (${currency})`])),
})
