// The fields of the portal's forms. Each message is a sentence that starts with the label of its field.

import type { Decimal } from '../../../server/contract/decimal.ts'
import { z } from 'zod'
import { isKeyOf } from '../../../server/contract/parse.ts'
import { compare } from '../../../server/contract/decimal.ts'
import { emailOf } from '../accounts/users.ts'
import { isPayableAmount, readAmount } from '../money/amounts.ts'
import { LOOKS } from './page.ts'
import { firstCharacters } from '../../../server/contract/text.ts'

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
export const email: Text = line(EMAIL, 100)
  .transform(emailOf)
  .refine((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), `${EMAIL} must be like name@shop.example.`)
  .register(LOOKS, { label: EMAIL, type: 'email' })

const MOST_OF_PASSWORD = 128

/** A password that is compared with another. */
export function password(label: string, autocomplete: string): Text {
  const schema = z.string().refine((text) => text.length <= MOST_OF_PASSWORD, `${label} is wrong.`)
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

export function choice<Value extends string>(
  label: string,
  choices: Readonly<Record<Value, string>>,
): Text<Value> {
  const schema = z.string().refine(isKeyOf(choices), `${label} must be one of the list.`)
  return schema.register(LOOKS, { label, choices: () => choices })
}

/** The number of a float account. Whether the merchant has it is checked where it is used. */
export const account: Text = z.string().register(LOOKS, {
  label: 'Account',
  choices: ({ accounts }) =>
    Object.fromEntries(accounts.map(({ number, currency }) => [number, `${number} (${currency})`])),
})
