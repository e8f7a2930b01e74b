/** Connects to the gateway that the environment variables name. See README.md. */

import { listenForCallbacks } from './callback-receiver.ts'
import { SEEDED } from './connection.ts'
import type { Connection } from './connection.ts'

/** `null` without CONFORMANCE_BASE_URL. */
export async function connectFromEnvironment(
  env: NodeJS.ProcessEnv,
): Promise<(Connection & { close(): void }) | null> {
  const baseUrl = env.CONFORMANCE_BASE_URL?.replace(/\/$/, '')
  if (!baseUrl) return null
  const {
    CONFORMANCE_FX_BASE_URL: rates = baseUrl,
    CONFORMANCE_ACKNOWLEDGE_BASE_URL: confirmations = baseUrl,
  } = env
  /** Rates may have another address [spec: Endpoints, note 1], and in the field so may confirmations. */
  const addressOf = (url: string) =>
    url
      .replace(`${baseUrl}/v1/fx`, `${rates.replace(/\/$/, '')}/v1/fx`)
      .replace(`${baseUrl}/transactions/`, `${confirmations.replace(/\/$/, '')}/transactions/`)
  const publicOrigin = env.CONFORMANCE_CALLBACK_URL
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname)
  const listening =
    isHere || publicOrigin
      ? await listenForCallbacks({
          port: Number(env.CONFORMANCE_CALLBACK_PORT ?? 0),
          ...(publicOrigin && { publicOrigin: publicOrigin.replace(/\/$/, '') }),
        })
      : null
  return {
    baseUrl,
    fetch: (url, init) => fetch(addressOf(url), init),
    credentials: {
      consumer_key: env.CONFORMANCE_CONSUMER_KEY ?? SEEDED.consumer_key,
      consumer_secret: env.CONFORMANCE_CONSUMER_SECRET ?? SEEDED.consumer_secret,
      account_number: env.CONFORMANCE_ACCOUNT_NUMBER ?? SEEDED.account_number,
      client_code: env.CONFORMANCE_CLIENT_CODE ?? SEEDED.client_code,
      services: {
        checkout: env.CONFORMANCE_CHECKOUT_SERVICE ?? SEEDED.services.checkout,
        payout: env.CONFORMANCE_PAYOUT_SERVICE ?? SEEDED.services.payout,
        transfer: env.CONFORMANCE_TRANSFER_SERVICE ?? SEEDED.services.transfer,
        b2b: env.CONFORMANCE_B2B_SERVICE ?? SEEDED.services.b2b,
      },
      partners: {
        plain: env.CONFORMANCE_PARTNER ?? SEEDED.partners.plain,
        dynamic: env.CONFORMANCE_DYNAMIC_PARTNER ?? SEEDED.partners.dynamic,
      },
      currency: env.CONFORMANCE_CURRENCY ?? SEEDED.currency,
      country: env.CONFORMANCE_COUNTRY ?? SEEDED.country,
      wallet: env.CONFORMANCE_WALLET ?? SEEDED.wallet,
      msisdn: env.CONFORMANCE_MSISDN ?? SEEDED.msisdn,
    },
    ...(env.CONFORMANCE_CHARGE_PATH && { chargePath: env.CONFORMANCE_CHARGE_PATH }),
    ...(listening && { callbackReceiver: listening.receiver }),
    close: () => listening?.close(),
  }
}
