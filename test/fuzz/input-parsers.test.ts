import type { z } from 'zod'
import { OUTCOMES } from '../../server/api/view.ts'
import { createCallbackTokens } from '../../server/callbacks/token.ts'
import { Secret } from '../../server/config/secret.ts'
import { ChargeRequest, splitSettlementsIn } from '../../server/contract/charge.ts'
import { add, compare, isDecimal, isWhole, multiply, round, subtract } from '../../server/contract/decimal.ts'
import { Rates } from '../../server/contract/rates.ts'
import { completeMsisdn, isCountry } from '../../server/countries.ts'
import { parseJson } from '../../server/json.ts'
import { clientBehind, loggedNetwork, networkOf, trustedProxies } from '../../server/limits/network.ts'
import { totalOf } from '../../server/money/charge-total.ts'
import { quote } from '../../server/money/quote.ts'
import { completeSplits, findSplitErrors } from '../../server/money/splits.ts'
import { listQuery } from '../../server/routes/listing.ts'
import { isAllowedOrigin, isAllowedReturn } from '../../server/routes/origin.ts'
import { chooseLanguage } from '../../server/routes/pages.tsx'
import { readTraceId } from '../../server/trace.ts'
import { charge } from '../support/spec-charges.ts'
import { ANSWERS } from './gateway-answers.ts'
import { attackParser } from './parser.ts'
import { shapeOf } from './shape.ts'

const AMOUNTS = ['1500', '1500.00', '0.5', '-3', '0', '999999999999999999', '0.000000000001', '1e3']
attackParser({
  name: 'decimal amounts',
  near: AMOUNTS,
  parse(text, luck) {
    if (!isDecimal(text)) return null
    const other = luck.pick(AMOUNTS.filter(isDecimal))
    const same = subtract(add(text, other), other)
    if (compare(same, text) !== 0 || isWhole(round(text, 0, 'down')) === false)
      throw new Error(`${same} is not ${text}`)
    return [multiply(text, other), round(text, luck.between(0, 12), luck.pick(['down', 'up']))]
  },
})

attackParser({
  name: 'splits and total of a charge',
  near: {
    examples: [charge],
    shape: shapeOf(ChargeRequest),
    values: { currency_code: ['KES', 'UGX', 'XXX', 'BHD'] },
  },
  parse(text) {
    const { data } = ChargeRequest.safeParse(parseJson(text))
    if (!data) return null
    const splits = completeSplits(splitSettlementsIn(data.extra_data), [
      { account: 'P', amount: 25, reason: 'Fee' },
    ])
    return [totalOf(data), findSplitErrors(splits, String(data.amount), data.currency_code).slice(0, 100)]
  },
})

attackParser({
  name: 'quote from the rates',
  near: { examples: ANSWERS.getRates },
  parse(text, luck) {
    const { data } = Rates.safeParse(parseJson(text))
    const [to = 'UGX'] = Object.keys(data?.rates ?? {}).filter((code) => /^[A-Z]{3}$/.test(code))
    const amount = luck.pick(AMOUNTS.filter(isDecimal))
    return data ? quote({ from: 'KES', to, amount, direction: luck.pick(['buying', 'selling']) }, data) : null
  },
})

attackParser({
  name: 'phone number',
  near: ['0700 000 001', '+254 700-000-001', '00254700000001', '(0)7.00', 'KE', 'CI'],
  parse: (text, luck) => completeMsisdn(text, isCountry(text) ? text : luck.pick(['KE', 'CI', null])),
})

attackParser({
  name: 'Accept-Language and lang',
  near: ['sw-TZ,sw;q=0.9,en;q=0.5', 'fr', 'ar-EG-u-nu-latn', 'pt-BR, *', 'en-x-private', 'zh-cmn-Hans-CN'],
  parse: async (text, luck) => (await chooseLanguage(luck.happens(0.5) ? text : null, text)).lang,
  most: 16_000,
})

attackParser({
  name: 'traceparent',
  near: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'ff-', '00-0'],
  parse: readTraceId,
})

const PROXIES = trustedProxies(['10.0.0.0/8', '127.0.0.1', '2001:db8:1::/48'])
attackParser({
  name: 'X-Forwarded-For and Forwarded',
  near: [
    '192.0.2.7, 10.0.0.1',
    '2001:db8::1',
    '[2001:db8::1]:443, 127.0.0.1',
    'fe80::1%eth0',
    'for=192.0.2.60;by=203.0.113.43',
    'for="[::ffff:1.2.3.4]:4711"',
  ],
  parse(text, luck) {
    const isX = luck.happens(0.5)
    const client = clientBehind(PROXIES, {
      xForwardedFor: isX ? text : undefined,
      forwarded: isX ? undefined : text,
    })
    const network = client && networkOf(client)
    return network && loggedNetwork(network)
  },
  most: 16_000,
})

attackParser({
  name: 'query of a list',
  near: [
    'outcome=paid&updated_since=2026-11-21T09:00:00Z',
    `cursor=${Buffer.from('[1795251600000,"a"]').toString('base64url')}`,
  ],
  parse: (text) => dataOf(listQuery(OUTCOMES).safeParse(Object.fromEntries(new URLSearchParams(text)))),
})

attackParser({
  name: 'origin and return URL',
  near: [
    'https://shop.example/thanks?order=1',
    'https://shop.example',
    'https://user@shop.example/%2e%2e/',
    'https://shop.example/a/..;/b',
    'null',
  ],
  parse(text) {
    const isOrigin = isAllowedOrigin(text, 'https://pay.shop.example', ['https://shop.example'])
    const isReturn = isAllowedReturn(text, ['https://shop.example', 'https://other.example/shop/'])
    return isOrigin || isReturn || null
  },
})

const TOKENS = createCallbackTokens('checkout', [new Secret('a key'), new Secret('an older key')])
attackParser({
  name: 'token of a callback',
  near: [TOKENS.create('A-1'), TOKENS.create('a.b')],
  parse: (text) => TOKENS.read(text),
})

function dataOf({ data, error }: z.ZodSafeParseResult<unknown>): unknown {
  if (error && error.issues.some(({ message }) => message.length > 1_000))
    throw new Error('A message is too long.')
  return data ?? null
}
