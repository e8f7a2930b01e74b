/**
 * The command `link`, for a merchant without a web page: prints the address of the page on which an order is paid, its
 * QR code, and a text for a chat. Where orders are signed, it signs the order. With `--reusable`, the page is that of a
 * new link, which many pay.
 */

import { formatMoney } from 'gateway-checkout/words'
import { correction, generate } from 'lean-qr/nano'
import { z } from 'zod'

import { isRefusal } from '../api/refusal.ts'
import { readRequestedTerms } from '../checkouts/terms.ts'
import { readConfig } from '../config/config.ts'
import { compare } from '../contract/decimal.ts'
import { safeParse } from '../contract/parse.ts'
import { Order } from '../orders/order.ts'
import { signOrder } from '../orders/signed.ts'
import { ordersByUrl } from '../orders/sources.ts'
import { callApi, refusalOfArguments } from './api.ts'
import { command, JSON_OPTION, wrongUsage } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'

import type { Config } from '../config/config.ts'
import type { Shell } from './shell.ts'

const TERM_OPTIONS = {
  amount: {
    type: 'string',
    multiple: true,
    text: 'of an order to sign: how much is paid, such as 1500; of a reusable link: repeat it for several',
  },
  currency: { type: 'string', text: 'of an order to sign: such as KES' },
  narration: { type: 'string', text: 'of an order to sign: what is paid for' },
  minutes: {
    type: 'string',
    text: 'of an order to sign: for how long; default and most: ORDER_MAX_LIFETIME',
  },
} as const
type Terms = Partial<Record<Exclude<keyof typeof TERM_OPTIONS, 'amount'>, string>> & { amount?: string[] }

/** The options of a link that many pay, which has `--amount`, `--currency` and `--narration`, too. */
const REUSABLE_OPTIONS = {
  'min-amount': { type: 'string', text: 'of a reusable link: the least that a payer may choose' },
  'max-amount': { type: 'string', text: 'of a reusable link: the most that a payer may choose' },
  'max-quantity': { type: 'string', text: 'of a reusable link: the most pieces that a payer may buy' },
  question: { type: 'string', text: 'of a reusable link: what each payer has to answer' },
  'ends-at': { type: 'string', text: 'of a reusable link: when it ends, such as 2026-12-24T18:00:00Z' },
} as const
type Reusable = Partial<Record<keyof typeof REUSABLE_OPTIONS, string>>

export const link = command({
  text: 'make a link that is paid without a page of yours, its QR code, and a text for a chat',
  takes: '[<order>]',
  options: {
    reusable: { type: 'boolean', text: 'make a link that many pay, each with an order of their own' },
    ...TERM_OPTIONS,
    ...REUSABLE_OPTIONS,
    ...JSON_OPTION,
  },
  examples: [
    'A-1042',
    "A-1042 --amount 1500 --currency KES --narration 'Two kangas'",
    "--reusable --amount 1500 --currency KES --narration 'Entrance' --max-quantity 10",
    "--reusable --amount 500 --amount 1000 --currency KES --narration 'A gift'",
  ],
  async run(shell, { json, reusable, ...options }, reference) {
    const config = readConfig(shell.env)
    if (reusable) {
      if (reference !== undefined) {
        throw wrongUsage('A reusable link has no <order>: each payer gets one.')
      }
      return showLink(shell, { json }, await createLink(shell, config, options))
    }
    if (reference === undefined) {
      throw wrongUsage('The arguments are: <order>, or --reusable.')
    }

    const terms = withoutReusable(options)
    const { order, pathName } = await findOrSignOrder(shell, config, reference, terms)
    const requested = order && readRequestedTerms(order, { config })
    if (requested && isRefusal(requested)) {
      throw new CommandFailure(EXIT.refused, requested.detail)
    }
    if (order && compare(order.amount, '0') !== 1) {
      const problem = `The amount of the order is ${order.amount}, and must be more than zero.`
      throw new CommandFailure(EXIT.refused, problem)
    }

    const url = `${config.publicUrl}/pay/${encodeURIComponent(pathName)}`
    const payment = order && `${formatMoney(order.amount, order.currency, 'en')} for ${order.narration}`
    return showLink(shell, { json }, { url, text: textOf(config, url, payment) })
  },
})

interface ShownLink {
  url: string
  /** The text for a chat. */
  text: string
}

function showLink(shell: Shell, { json }: { json?: boolean | undefined }, { url, text }: ShownLink): void {
  if (json) {
    return shell.show({ json }, { url, text }, () => url)
  }

  shell.print(`${url}\n`)
  for (const line of drawCode(url)) {
    shell.print(line, 'code')
  }

  shell.print(`\n${text}`)
}

function textOf({ merchant }: Config, url: string, payment: string | null): string {
  // A text that is pasted into a chat has ordinary spaces.
  const subject = [merchant.name, payment].filter(Boolean).join(': ').replaceAll('\u00A0', ' ')
  return `${subject && `${subject}. `}Pay here: ${url}`
}

const CreatedLink = z.object({
  url: z.string(),
  narration: z.string(),
  currency: z.string(),
  amounts: z.array(z.string()).optional(),
  min_amount: z.string().optional(),
  max_amount: z.string().optional(),
})

/** Creates a link that many pay, with a request to the merchant API. */
async function createLink(shell: Shell, config: Config, given: Terms & Reusable): Promise<ShownLink> {
  const { amount: amounts, minutes, ...fields } = given
  if (minutes !== undefined) {
    throw wrongUsage('--minutes is for orders to sign. A reusable link has --ends-at.')
  }

  const options = Object.entries(fields).map(([name, value]) => [name.replaceAll('-', '_'), value])
  const body = JSON.stringify({ ...Object.fromEntries(options), amounts })
  const { body: answer, problem } = await callApi(shell, 'POST', '/api/links', body)
  if (problem) {
    throw refusalOfArguments(problem, optionOf)
  }

  const { url, narration, currency, amounts: listed, min_amount, max_amount } = CreatedLink.parse(answer)
  const named = (listed ?? [min_amount, max_amount]).map((each) => formatMoney(each ?? '', currency, 'en'))
  const money = listed ? EITHER.format(named) : named.join(' to ')
  return { url, text: textOf(config, url, `${money} for ${narration}`) }
}

const EITHER = new Intl.ListFormat('en', { type: 'disjunction' })

/** Returns the option that a field of the API is. `amounts[0]` is a part of `--amount`. */
function optionOf(path: string): string {
  return `--${path.replace(/^amounts.*/, 'amount').replaceAll('_', '-')}`
}

/** @throws {CommandFailure} if an option is one of reusable links. */
function withoutReusable(options: Terms & Reusable): Terms {
  const wrong = Object.keys(options).find((name) => Object.hasOwn(REUSABLE_OPTIONS, name))
  if (wrong !== undefined) {
    throw wrongUsage(`--${wrong} is for a link with --reusable.`)
  }
  return options
}

/**
 * Finds or signs the order. `pathName` is its name in the address of the page; `order` is `null` if only the merchant's
 * server can look it up.
 */
async function findOrSignOrder(shell: Shell, config: Config, reference: string, terms: Terms) {
  const { orders } = config
  const { clock } = shell
  if (orders?.kind === 'signed') {
    return sign({ ...orders, audience: config.publicUrl }, { ...terms, order: reference }, clock.now())
  }

  const [option] = Object.keys(terms)
  if (option !== undefined) {
    throw wrongUsage(`--${option} is for orders to sign, with ORDER_SIGNING_KEY.`)
  }
  if (!orders) {
    shell.inform(
      'Neither ORDERS_URL nor ORDER_SIGNING_KEY is set, so orders come from a function of your server: whether it knows this one was not asked.',
    )
    return { order: null, pathName: reference }
  }

  const answer = await ordersByUrl({ ...orders, fetch: shell.fetchFor(config), clock })(reference)
  if (answer.kind === 'refused') {
    const { code, detail, reason = detail } = answer
    throw new CommandFailure(code === 'orders_unavailable' ? EXIT.unavailable : EXIT.refused, reason)
  }
  return { order: answer.order, pathName: reference }
}

type Signing = Extract<Config['orders'], { kind: 'signed' }> & { audience: string }

async function sign({ keys, maxLifetime, audience }: Signing, input: Terms & { order: string }, now: number) {
  const key = keys?.secrets[0]
  if (!key) {
    throw new CommandFailure(EXIT.config, 'ORDER_SIGNING_KEY is required to sign an order.')
  }

  const maxMinutes = Math.floor(maxLifetime / 60)
  const { minutes = String(maxMinutes), amount: amounts = [], ...terms } = input
  const [only, ...others] = amounts
  if (others.length > 0) {
    throw wrongUsage(
      '--amount is there more than once: an order has one. A link with --reusable may have several.',
    )
  }

  if (!/^[1-9]\d{0,8}$/.test(minutes) || Number(minutes) > maxMinutes) {
    throw wrongUsage(`--minutes must be a whole number from 1 to ${maxMinutes}: see ORDER_MAX_LIFETIME.`)
  }

  const { data, error } = safeParse(Order, { ...terms, amount: only })
  if (!data) {
    const { path = [], message = '' } = error?.issues[0] ?? {}
    throw wrongUsage(`${path[0] === 'order' ? '<order>' : `--${path.join()}`} ${message}.`)
  }

  const { order, amount, currency, narration } = data
  const times = { issuedAt: Math.floor(now / 1000), lifetime: Number(minutes) * 60 }
  const signing = { key: key.reveal(), audience, ...times }
  return { order: data, pathName: await signOrder({ order, amount, currency, narration }, signing) }
}

/** The width of the empty border that scanners need, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4
/** Characters by their light halves: none, the lower, the upper, both. */
const BLOCKS = [' ', '▄', '▀', '█'] as const

/** Returns the lines of a QR code, of two rows each. [assumed] The terminal is dark, so light modules are drawn. */
function drawCode(url: string): string[] {
  const { size, get } = generate(url, { minCorrectionLevel: correction.L })
  const positions = Array.from({ length: size + 2 * QUIET_ZONE }, (_, index) => index - QUIET_ZONE)
  const isLight = (x: number, y: number) => y < size + QUIET_ZONE && !get(x, y)
  const blockAt = (x: number, y: number) => BLOCKS[2 * Number(isLight(x, y)) + Number(isLight(x, y + 1))]
  return positions
    .filter((_, index) => index % 2 === 0)
    .map((y) => positions.map((x) => blockAt(x, y)).join(''))
}
