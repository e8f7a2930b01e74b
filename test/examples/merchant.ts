import { spawn } from 'node:child_process'

import { add } from '../../server/contract/decimal.ts'
import { searchPath } from '../support/debian.ts'
import { freePort } from '../support/free-port.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'
import { start, endOf } from '../support/worlds/command-line.ts'
import { exampleOf } from './languages.ts'

import type { Ended, Env } from '../support/worlds/command-line.ts'
import type { LanguageName } from './languages.ts'

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
  const PORT = String(await freePort())
  const url = `http://127.0.0.1:${PORT}`
  const env = cli.fresh({
    GATEWAY_CHARGE_PATH: '/v1/charges',
    PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
    ORDER_SIGNING_KEY,
    MERCHANT_API_KEY,
    PUBLIC_URL: url,
    HOST: '127.0.0.1',
    PORT,
  })
  // Accepting an event would confirm the service of a charge, which an example does: no webhook is configured.
  const server = await start(['serve'], env, /listens on port (\d+)/)

  return {
    folder: cli.folder,
    url,

    run: (language: LanguageName, name: string, args: string[], at = url): Promise<Ended> =>
      runExample(language, name, args, { PUBLIC_URL: at, MERCHANT_API_KEY, ORDER_SIGNING_KEY }),

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
      await server.stop()
      await cli.close()
    },
  }
}

export function runExample(language: LanguageName, name: string, args: string[], env: Env): Promise<Ended> {
  const [command, ...program] = exampleOf(language, name)
  const child = spawn(command, [...program, ...args], {
    env: { PATH: searchPath(), PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
  child.stdin.end()
  return endOf(child)
}
