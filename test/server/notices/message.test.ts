import { describe, expect, test } from 'vitest'

import { EVENT_TYPES } from '../../../server/api/kind-table.ts'
import { fillTemplate, problemOfTemplate } from '../../../server/config/notice-template.ts'
import { isTold, messageOf } from '../../../server/notices/message.ts'

import type { PaymentFacts } from '../../../server/transactions/kind.ts'

const FACTS: PaymentFacts = {
  reference: 'A-1',
  narration: 'Two kangas',
  asked: '1500',
  currency: 'KES',
  received: '1500',
  most: '1500',
  paid_currency: 'KES',
  receipts: ['QK71P0ZX'],
  ends: [],
}
const LIVE = { account: 'production', outcome: 'paid' } as const

const MONEY = { came: '1500', went: '0', held: '1500' }

const told = (
  type: string,
  facts: Partial<PaymentFacts> = {},
  outcome = 'paid',
  money: Partial<typeof MONEY> = {},
) =>
  messageOf({ id: 'ntc_1', type, ...MONEY, ...money }, { ...LIVE, outcome }, { ...FACTS, ...facts }, ['0001'])

test('people are told when money comes or goes back, and of nothing else', () => {
  expect(EVENT_TYPES.filter(isTold)).toEqual([
    'checkout.paid',
    'checkout.paid_late',
    'checkout.overpaid',
    'checkout.partial',
    'checkout.reversed',
    'checkout.refunded',
    'checkout.review',
    'charge.succeeded',
    'charge.overpaid',
    'charge.reversed',
    'charge.refunded',
  ])
})

describe('a message', () => {
  test('a message says what was paid, in words', () => {
    expect(told('checkout.paid').text).toBe(
      'Paid: 1500 KES, order A-1\nFor: Two kangas\nReceipt: QK71P0ZX\nPhone number ends in: 0001',
    )
  })

  test('a message says of money in another currency what it is, and what was asked for', () => {
    const facts = { received: '700', paid_currency: 'UGX' }
    const { text } = told('checkout.review', facts, 'review', { came: '700', held: '700' })
    expect(text).toContain('To be checked: 700 UGX, order A-1\n')
    expect(text).toContain('\nAsked for: 1500 KES\n')
  })

  test('a message names no sum that nobody knows', () => {
    const none = { came: '0', held: '0' }
    const { text } = told('checkout.review', { received: '0', most: '0' }, 'review', none)
    expect(text).toContain('To be checked: order A-1\n')
    expect(text).toContain('\nAsked for: 1500 KES\n')
  })

  test('a message says in words how a payment stands meanwhile', () => {
    expect(told('charge.succeeded', {}, 'needs_attention').text).toContain(
      '\nMeanwhile it is to be checked.\n',
    )
  })

  test.each(['\r\n', '\u2028', '\u0000', '\n.\n'])('a message has no line of somebody else: %j', (end) => {
    const { title, text } = told('checkout.paid', {
      narration: `Kangas${end}Bcc: x@y.example`,
      reference: `A${end}1`,
    })
    expect(title.split(/[\r\n\u2028]/)).toHaveLength(1)
    expect(text.split(/[\r\n\u2028]/)).toHaveLength(4)
  })
})

describe('a template', () => {
  const nasty = told('checkout.paid', { narration: 'Kangas", "to":"+1&to=2 {id} \\ ü' }).values

  test('a template puts no value outside its text: json', () => {
    const template = '{"to":"+254711","texts":["{narration}","{receipt}"],"n":1}'
    expect(JSON.parse(fillTemplate('json', template, nasty))).toEqual({
      to: '+254711',
      texts: [nasty.narration, 'QK71P0ZX'],
      n: 1,
    })
  })

  test.each(['"', '\\', '\n', '\r\n', '\u2028', '\u0000', '\ud800', '", "to": "+1', '{amount}', '$&', '$1'])(
    'a template has every value as it is, whatever is in it: %j',
    (narration) => {
      const values = { ...nasty, narration }
      const filled = fillTemplate('json', '{"a b":"{narration}","c":{narration}}', values)
      expect(JSON.parse(filled)).toEqual({ 'a b': narration, c: narration })
    },
  )

  test('a template has an amount as text, and outside of a text as a number with all digits', () => {
    const values = { ...nasty, amount: '900719925474099312.05' }
    const template = '{"text":"{title}","amount":"{amount}","sum":{amount},"ends":{phone_ends}}'
    expect(problemOfTemplate('json', template)).toBe(null)
    expect(fillTemplate('json', template, values)).toBe(
      `{"text":"${nasty.title}","amount":"900719925474099312.05","sum":900719925474099312.05,"ends":"0001"}`,
    )
  })

  test.each([
    '{"a":{amount},"b":{text}}',
    '[{amount}, {title}]',
    '{"a":"\\"","b":"{title}"}',
    '{"a\\\\":"{text}"}',
  ])('a template that is JSON with its values is taken: %s', (template) => {
    expect(problemOfTemplate('json', template)).toBe(null)
  })

  test.each([
    '{"a":{amount}{amount}}',
    '{"a":-{text}}',
    '{"a":"{text}}',
    "{'a':'{text}'}",
    '{"a":{text},}',
    '{"a":"{text}","a":"{receipt}"}',
    '',
  ])('a template that is no JSON with its values is refused: %s', (template) => {
    expect(problemOfTemplate('json', template)).toContain('must be JSON when its values are put in')
  })

  test('a template puts no value outside its text: form', () => {
    const filled = new URLSearchParams(fillTemplate('form', 'to=%2B254711&text={narration}', nasty))
    expect([...filled]).toEqual([
      ['to', '+254711'],
      ['text', nasty.narration],
    ])
  })

  test('a template has its values as they are: text', () => {
    expect(fillTemplate('text', '{narration}', nasty)).toBe(nasty.narration)
  })

  test.each([
    ['json', '{"text":"{txt}"}', 'names {txt}, and there are {id}, {title}, {text}'],
    ['json', 'to={text}', 'must be JSON when its values are put in, or NOTIFY_TYPE another type.'],
  ] as const)('of %s that cannot be filled is refused: %s', (type, template, why) => {
    expect(problemOfTemplate(type, template)).toContain(why)
  })

  test('a template of a form needs no JSON', () => {
    expect(problemOfTemplate('form', 'to={reference}&text={title}')).toBe(null)
  })

  test.each([
    ['json', '{"message":"{amount}","in":"{currency}"}'],
    ['json', '{"message":"hello"}'],
    ['json', '{"message":"{ text }"}'],
    ['json', '{}'],
    ['form', 'to=2&message={reference}'],
    ['form', '{text}=2'],
    ['text', '{amount}'],
  ] as const)('of %s by which a payment and its reversal read alike is refused: %s', (type, template) => {
    expect(problemOfTemplate(type, template)).toMatch(/^must have \{text\} or \{title\}: /)
  })

  test.each([
    ['json', '{"text":"Shop: {title}"}'],
    ['json', '{"text":"{title}\\n{receipt}"}'],
    ['json', '{"a":-{amount},"text":"{text}"}'],
    ['json', '{"a":{amount}0,"text":"{text}"}'],
    ['json', '{"query":"mutation { send(to: \\"1\\", text: \\"{text}\\") { id } }"}'],
    ['json', '{"to":"+254711","data":"message={text}"}'],
    ['json', '{"yaml":"to: 1\\ntext: {text}"}'],
    ['json', '{"command":"send --to 1 \'{text}\'"}'],
    ['json', '{"link":"https://shop.example/{reference}","text":"{text}"}'],
    ['form', 'payload=text%3D{text}'],
    ['text', 'message={text}'],
    ['text', 'to=1;message={text}'],
    ['text', '1,{text}'],
    ['text', '1|{text}'],
    ['text', 'to: 1\nmessage: {text}'],
    ['form', 'payload={"channel":"#shop","text":"{title}"}'],
    ['form', 'payload=%7B%22text%22%3A%22{title}%22%7D'],
    ['form', 'payload=[1,"{title}"]'],
    ['json', '{"payload":"{\\"text\\":\\"{title}\\"}"}'],
    ['json', '{"payload":"to=1&text={title}"}'],
    ['json', '{"link":"https://shop.example/?of={reference}","text":"{text}"}'],
    ['text', '{"text":"{title}"}'],
    ['text', 'told({"text":"{title}"})'],
    ['text', '<to>+254711</to><text>{text}</text>'],
    ['text', 'to=1&text={title}'],
  ] as const)('of %s in which a value is beside other characters is refused: %s', (type, template) => {
    expect(problemOfTemplate(type, template)).toMatch(/^puts a value beside other characters/)
  })

  test('a template in which a value names a field is refused', () => {
    const template = '{"to":"+254711","text":"{text}","{narration}":1}'
    expect(problemOfTemplate('json', template)).toMatch(/^has a value in the name of a field: /)
  })

  test.each([
    [
      'json',
      '{"chat":"<-1>","text":"{title}","parts":["{reference}","{receipt}"],"to":{"a":["x&y=1","{\\"a\\":1}"]}}',
    ],
    ['form', 'to=%2B254711&url=https://shop.example/?a=1&text={text}'],
    ['text', '{title}'],
  ] as const)('of %s whose values have fields to themselves is taken: %s', (type, template) => {
    expect(problemOfTemplate(type, template)).toBe(null)
  })
})
