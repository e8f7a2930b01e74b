/** The values that `renderCheckout` accepts, and the values that it refuses. */

import type { RenderCheckoutOptions } from '../../../server/checkouts/markup.ts'

export interface Rendering {
  order: string
  options: Record<string, unknown>
}

export const KNOWN_PAYER = {
  server: 'https://pay.shop.example',
  payerName: 'Asha Otieno',
  payerEmail: 'asha@example.com',
  payerMsisdn: '+254700000001',
} as const satisfies RenderCheckoutOptions

const HOSTILE = `"><script>alert(1)</script>&amp;'\\\${x}{{y}}%s$1\u2028</template>`

export const EVERY_OPTION = {
  ...KNOWN_PAYER,
  country: 'KE',
  returnUrl: 'https://shop.example/thanks?order=A-1&lang=en#done',
  launch: 'redirect',
  method: 'page',
  lang: 'en-KE',
  theme: 'dark',
  label: 'Pay now',
  amount: 'KES 1500',
  payee: 'Pwani Goods',
  methods: 'M-Pesa, card',
  help: 'tel:+254700000001',
  logo: '/pwani.svg',
  name: 'checkout',
  required: true,
  overlay: true,
  disabled: true,
  nonce: 'r4nd0m+/_-==',
} as const satisfies Required<RenderCheckoutOptions>

/** By what is special about the values. */
export const ACCEPTED: Readonly<Record<string, Rendering>> = {
  'the required options': { order: 'A-1042', options: KNOWN_PAYER },
  'every option': { order: 'A-1042', options: EVERY_OPTION },
  'empty and missing options': {
    order: 'A-1042',
    options: { ...KNOWN_PAYER, label: '', amount: null, nonce: null, required: null, disabled: false },
  },
  'a prompt, without name and e-mail address': {
    order: 'A-1042',
    options: { server: '/pay', payerMsisdn: '0700 000 001', method: 'prompt', country: 'KE' },
  },
  'hostile texts': {
    order: HOSTILE,
    options: {
      server: `https://pay.shop.example/a'b&c/`,
      payerName: HOSTILE,
      payerEmail: HOSTILE,
      payerMsisdn: `'"<>&`,
      label: HOSTILE,
      amount: HOSTILE,
      payee: HOSTILE,
      name: HOSTILE,
      returnUrl: `https://shop.example/?a="'&b`,
    },
  },
  'texts of every plane': {
    order: 'Ä-1 𝟙 👩🏾‍🌾',
    options: { ...KNOWN_PAYER, payerName: 'عائشة', payee: '店 🏬', label: 'Оплатить', lang: 'ru' },
  },
  'the longest texts': {
    order: '👍'.repeat(4000),
    options: { ...KNOWN_PAYER, payerName: '👍'.repeat(100), label: 'é'.repeat(200), payee: 'x'.repeat(200) },
  },
  'a server with a port, a path and slashes at the end': {
    order: 'A-1',
    options: { ...KNOWN_PAYER, server: 'http://[::1]:4020/pay//' },
  },
}

const TOO_LONG = (most: number) =>
  `must be at most ${most} characters, without control characters and not blank`
const ADDRESS = 'must be an http or https address without query, or a path such as /pay'
const RETURN = 'must be an absolute http or https address'

/** With the option and the rule that the error names. */
export const REFUSED: readonly (readonly [option: string, rule: string, Rendering])[] = [
  ...(['server', 'payerName', 'payerEmail', 'payerMsisdn'] as const).map((option) => {
    const { [option]: _, ...options } = KNOWN_PAYER
    return [option, 'is missing', { order: 'A-1', options }] as const
  }),
  ['order', 'is missing', { order: '', options: KNOWN_PAYER }],
  ['payerMsisdn', 'is missing', { order: 'A-1', options: { server: '/pay', method: 'prompt' } }],
  ['order', TOO_LONG(4000), { order: 'x'.repeat(4001), options: KNOWN_PAYER }],
  ['order', TOO_LONG(4000), { order: '  ', options: KNOWN_PAYER }],
  ['order', TOO_LONG(4000), { order: 'A-1\n', options: KNOWN_PAYER }],
  ...refused('lable', 'is no option', 'Pay'),
  ...refused(
    'server',
    ADDRESS,
    'javascript:alert(1)',
    '//evil.example',
    'https://a.example?b',
    'https://u@a',
  ),
  ...refused('server', ADDRESS, 'https://a.example\n', 'https://ä.example', '/pay#x', '/pay"'),
  ...refused('payerName', TOO_LONG(100), 'x'.repeat(101), 'A\u0000', 'A\u0085', ' '),
  ...refused('payerName', 'must be text', 5, true, ['Asha']),
  ...refused('country', 'must be a country code of two letters', 'Kenya', 'KE\n', 'ÄÖ'),
  ...refused('returnUrl', RETURN, '/thanks', 'javascript:alert(1)', `https://a/${'x'.repeat(1990)}`),
  ...refused('launch', 'must be auto, redirect or popup', 'window', 'auto\n', 'xauto'),
  ...refused('method', 'must be page or prompt', 'card', 'pages'),
  ...refused('lang', 'must be a language tag, such as sw or en-KE', 'en KE', 'e', 'notalanguage'),
  ...refused('theme', 'must be auto, light or dark', 'blue'),
  ...refused('nonce', 'must be base64', `x' onload='`, 'a b', '='),
  ...refused('required', 'must be true or false', 1, 'required', ''),
]

function refused(
  option: string,
  rule: string,
  ...values: unknown[]
): (readonly [string, string, Rendering])[] {
  return values.map((value) => [option, rule, { order: 'A-1', options: { ...KNOWN_PAYER, [option]: value } }])
}
