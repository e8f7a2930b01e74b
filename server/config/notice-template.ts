/** The template of a notice: the body of a request, with places for values. Pure. */

import { parseJson } from '../contract/parse.ts'

/** The values that a template may name, each as `{name}`. */
export const NOTICE_VALUES = [
  'id',
  'title',
  'text',
  'amount',
  'currency',
  'reference',
  'narration',
  'receipt',
  'phone_ends',
] as const
export type NoticeValues = Readonly<Record<(typeof NOTICE_VALUES)[number], string>>

export const TEMPLATE_TYPES = ['json', 'form', 'text'] as const
export type TemplateType = (typeof TEMPLATE_TYPES)[number]

/**
 * Returns what is wrong with a template, as the end of a sentence; `null` if nothing is. The template is filled, and read
 * as who receives it reads it: a value names no field, and fills a field alone. Beside other characters it would be
 * a part of what they begin, such as a query, markup or a command, each of which escapes in a way of its own.
 */
export function problemOfTemplate(type: TemplateType, template: string): string | null {
  const names: readonly string[] = NOTICE_VALUES
  const unknown = [...template.matchAll(PLACE)].find(([, name = '']) => !names.includes(name))
  if (unknown) {
    return `names ${unknown[0]}, and there are ${NOTICE_VALUES.map((name) => `{${name}}`).join(', ')}.`
  }

  const parts = partsOf(type, fillTemplate(type, template, SAMPLE))
  const others = partsOf(type, fillTemplate(type, template, OTHER_SAMPLE))
  if (!parts || !others) {
    return 'must be JSON when its values are put in, or NOTIFY_TYPE another type.'
  }
  if (parts.some(({ name }, index) => name !== others[index]?.name)) {
    return 'has a value in the name of a field: who pays could then write what another field has. Put it into a field.'
  }

  const named = parts
    .map(({ text }, index) => ({ text, other: others[index]?.text }))
    .filter(({ text, other }) => text !== other)
    .map(({ text, other }) =>
      NOTICE_VALUES.find((name) => SAMPLE[name] === text && OTHER_SAMPLE[name] === other),
    )
  if (named.includes(undefined)) {
    return 'puts a value beside other characters, to which who pays could then add a field: give each value a field of the body to itself, such as {"message":"{text}"}, and take the NOTIFY_TYPE that the body has.'
  }
  if (!named.includes('text') && !named.includes('title')) {
    return 'must have {text} or {title}: only they say what has happened, and without them a payment and its reversal read alike.'
  }
  return null
}

/** A text, a number or another value in a body, with the names that lead to it. */
interface Part {
  name: string
  text: string
}

/** Returns what is in a body, as who receives it reads it; `null` if it cannot be read. */
function partsOf(type: TemplateType, body: string): Part[] | null {
  switch (type) {
    case 'json': {
      const value = parseJson(body)
      return value === undefined ? null : partsIn(value, '')
    }
    case 'form':
      return [...new URLSearchParams(body)].map(([name, text]) => ({ name, text }))
    case 'text':
      return [{ name: '', text: body }]
  }
}

function partsIn(value: unknown, name: string): Part[] {
  if (typeof value !== 'object' || value === null) {
    return [{ name, text: String(value) }]
  }
  return Object.entries(value).flatMap(([key, part]) => partsIn(part, `${name}/${key}`))
}

/** Values with characters that a body has to escape: two of each name, and no two of them are alike. */
const SAMPLE: NoticeValues = {
  id: 'ntc_1',
  title: 'Paid: 1500.5 KES, order "A-1"',
  text: 'Paid: 1500.5 KES, order "A-1"\nFor: \\ \u2028',
  amount: '1500.5',
  currency: 'KES',
  reference: '"A-1"',
  narration: '\\ \u2028',
  receipt: 'QK71P0ZX',
  phone_ends: '0001',
}
const OTHER_SAMPLE: NoticeValues = {
  id: 'ntc_2',
  title: 'Reversed: 250 UGX, order &B=2;',
  text: 'Reversed: 250 UGX, order &B=2;\nFor: </> {}',
  amount: '250',
  currency: 'UGX',
  reference: '&B=2;',
  narration: '</> {}',
  receipt: 'QK71P0ZY',
  phone_ends: '0002',
}

const PLACE = /\{(\w+)\}/g
/** A text of JSON, or a place outside of texts. */
const TEXT_OR_PLACE = /"(?:[^"\\]|\\.)*"|\{(\w+)\}/gs

/** Returns a template with its values, written as its type demands: no value can end a text, or add a field. */
export function fillTemplate(type: TemplateType, template: string, values: NoticeValues): string {
  const given: Readonly<Record<string, string>> = values
  const valueOf = (name: string) => given[name] ?? ''
  const fill = (text: string, written = valueOf) => text.replaceAll(PLACE, (_, name: string) => written(name))
  switch (type) {
    case 'json':
      return template.replaceAll(TEXT_OR_PLACE, (part, place?: string) => {
        if (place === undefined) {
          return fill(part, (name) => JSON.stringify(valueOf(name)).slice(1, -1))
        }
        // Outside of a text, an amount is a number, with all of its digits, and every other value a text of its own.
        return place === 'amount' ? valueOf(place) : JSON.stringify(valueOf(place))
      })
    case 'form': {
      const fields = [...new URLSearchParams(template)]
      return new URLSearchParams(
        fields.map(([name, value]): [string, string] => [name, fill(value)]),
      ).toString()
    }
    case 'text':
      return fill(template)
  }
}
