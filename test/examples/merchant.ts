import { spawn } from 'node:child_process'
import { add } from '../../server/contract/decimal.ts'
import type { Ended, Env } from '../support/command-line.ts'
import { start, endOf } from '../support/command-line.ts'
import { createCliWorld } from '../support/cli-world.ts'
import { freePort } from '../support/free-port.ts'
import type { LanguageName } from './languages.ts'
import { exampleOf, WEBHOOK_LANGUAGES } from './languages.ts'
import type { Listener } from './listeners.ts'
import { listenIn, relay, SECRET } from './listeners.ts'

const ORDER_SIGNING_KEY = 'a signing key of at least 32 bytes, for examples'
const MERCHANT_API_KEY = 'the key of a merchant of examples'
/** The speed of the sandbox's clock, in virtual seconds per real second. */
const SPEED = 10

interface Entry {
  reference: string
  lines: { account: string; amount: string }[]
}

export async function createMerchant() {
  const cli = await createCliWorld()
  await cli.control('/clock', { speed: SPEED })
  const listeners = new Map<LanguageName, Listener>()
  const hub = await relay(() => [...listeners.values()])
  const ready = /listens on port (\d+)/

  async function serve(more: Env) {
    const PORT = String(await freePort())
    const PUBLIC_URL = `http://127.0.0.1:${PORT}`
    const env = cli.fresh({
      GATEWAY_CHARGE_PATH: '/v1/charges',
      PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
      ORDER_SIGNING_KEY,
      MERCHANT_API_KEY,
      PUBLIC_URL,
      HOST: '127.0.0.1',
      PORT,
      ...more,
    })
    return { url: PUBLIC_URL, process: await start(['serve'], env, ready) }
  }

  const hearing = { MERCHANT_WEBHOOK_URL: hub.url, MERCHANT_WEBHOOK_SECRET: SECRET }
  // Accepting an event confirms the service. Examples that confirm charges use `office`, which has no webhook.
  const [till, office] = await Promise.all([serve(hearing), serve({})])
  const listening = WEBHOOK_LANGUAGES.map(
    async (language) => [language, await listenIn(language, cli.folder, SECRET)] as const,
  )
  for (const [language, listener] of await Promise.all(listening)) listeners.set(language, listener)

  return {
    folder: cli.folder,
    till: till.url,
    office: office.url,
    events: hub.events,

    listener(language: LanguageName): Listener {
      const listener = listeners.get(language)
      if (!listener) throw new Error(`No webhook listens in ${language}.`)
      return listener
    },

    run: (language: LanguageName, name: string, args: string[], url = office.url): Promise<Ended> =>
      runExample(language, name, args, { PUBLIC_URL: url, MERCHANT_API_KEY, ORDER_SIGNING_KEY }),

    control: (path: string, body: object) => cli.control(path, body),

    async gained(reference: string): Promise<Record<string, string>> {
      const answer = await fetch(`${cli.gateway}/_sandbox/ledger`)
      const { entries }: { entries: Entry[] } = await answer.json()
      const gained = new Map<string, string>()
      for (const { lines } of entries.filter((entry) => entry.reference.startsWith(reference))) {
        for (const { account, amount } of lines) {
          gained.set(account, add(gained.get(account) ?? '0.00', amount))
        }
      }
      return Object.fromEntries([...gained].filter(([, amount]) => amount !== '0.00'))
    },

    async close(): Promise<void> {
      await Promise.all([till.process.stop(), office.process.stop()])
      await Promise.all([...listeners.values()].map((listener) => listener.close()))
      await hub.close()
      await cli.close()
    },
  }
}

export function runExample(language: LanguageName, name: string, args: string[], env: Env): Promise<Ended> {
  const [command, ...program] = exampleOf(language, name)
  const child = spawn(command, [...program, ...args], {
    env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
  child.stdin.end()
  return endOf(child)
}
