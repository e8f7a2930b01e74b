// The fields of the portal's forms. Each message is a sentence that starts with the label of its field.

import { z } from 'zod'
import { firstCharacters } from '../../../server/contract/characters.ts'
import { compare } from '../../../server/contract/decimal.ts'
import { isPayableAmount } from '../money/amounts.ts'
import { isRole } from '../accounts/roles.ts'
import { emailOf } from '../accounts/users.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const

export function line(label: string, most: number): z.ZodType<string, string> {
  return z
    .string()
    .trim()
    .refine((text) => text !== '', `${label} is required.`)
    .refine((text) => firstCharacters(text, most) === text, `${label} must have at most ${most} characters.`)
    .refine((text) => !/\p{Cc}/u.test(text), `${label} must be one line of text.`)
}

export function email(label: string): z.ZodType<string, string> {
  return line(label, 100)
    .transform(emailOf)
    .refine((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), `${label} must be like name@shop.example.`)
}

export function newPassword(label: string): z.ZodType<string, string> {
  const { min, max } = PASSWORD_LENGTH
  return z
    .string()
    .refine((text) => Array.from(text).length >= min, `${label} must have at least ${min} characters.`)
    .refine((text) => firstCharacters(text, max) === text, `${label} must have at most ${max} characters.`)
}

export function amount(label: string, most: Decimal): z.ZodType<Decimal, string> {
  return z
    .string()
    .trim()
    .transform((text) => text.replaceAll(/(?<=\d)[ ,](?=\d{3}(?!\d))/g, ''))
    .refine(isPayableAmount, `${label} must be a number above 0 with at most two fraction digits.`)
    .refine((text) => !isPayableAmount(text) || compare(text, most) <= 0, `${label} must be at most ${most}.`)
}

export function ticked(problem: string): z.ZodType<string, string> {
  return z.string().refine((text) => text === 'on', problem)
}

export const tick: z.ZodType<boolean, string> = z.string().transform((text) => text === 'on')

export const role = z.string().refine(isRole, 'Role must be one of owner, developer, finance and viewer.')
