/** Connects the checks to a gateway at a URL, by the `CONFORMANCE_*` variables that describe it. */

import { OUR_CHARGES, SEEDED, listenForCallbacks } from './connection.ts'
import { openLivePortal } from './live-portal.ts'
import { portalPages } from './portal-pages.ts'

import type { Connection } from './connection.ts'

const REQUEST_LIMIT_MS = 30_000

type Environment = Readonly<Record<string, string | undefined>>

/** Connects to the gateway at `url`, as the `CONFORMANCE_*` variables describe it. */
export async function connectTo(url: string, env: Environment): Promise<Connection & { close(): void }> {
  const baseUrl = url.replace(/\/$/, '')
  const {
    CONFORMANCE_FX_BASE_URL: rates = baseUrl,
    CONFORMANCE_ACKNOWLEDGE_BASE_URL: confirmations = baseUrl,
  } = env
  // Exchange rates and service confirmations may have base URLs of their own. [spec: Endpoints, note 1]
  const addressOf = (url: string) =>
    url
      .replace(`${baseUrl}/v1/fx`, `${rates.replace(/\/$/, '')}/v1/fx`)
      .replace(`${baseUrl}/transactions/`, `${confirmations.replace(/\/$/, '')}/transactions/`)
  const publicOrigin = env.CONFORMANCE_CALLBACK_URL
  const {
    CONFORMANCE_PARTNER: plain = SEEDED.partners.plain,
    CONFORMANCE_DYNAMIC_PARTNER: dynamic = SEEDED.partners.dynamic,
  } = env
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
    fetch: (url, init) => fetch(addressOf(url), { ...init, signal: AbortSignal.timeout(REQUEST_LIMIT_MS) }),
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
        disabled: orNone(env.CONFORMANCE_DISABLED_SERVICE ?? SEEDED.services.disabled),
        foreign: orNone(env.CONFORMANCE_FOREIGN_SERVICE ?? SEEDED.services.foreign),
      },
      partners: plain && dynamic ? { plain, dynamic } : undefined,
      currency: env.CONFORMANCE_CURRENCY ?? SEEDED.currency,
      country: env.CONFORMANCE_COUNTRY ?? SEEDED.country,
      wallet: env.CONFORMANCE_WALLET ?? SEEDED.wallet,
      msisdn: env.CONFORMANCE_MSISDN ?? SEEDED.msisdn,
    },
    ...chargesFrom(env),
    ...environmentsFrom(env, baseUrl),
    ...(listening && { callbackReceiver: listening.receiver }),
    close: () => listening?.close(),
  }
}

/** Returns the settings of charges; nothing if no `CONFORMANCE_CHARGE*` variable is set. */
function chargesFrom(env: Environment): Pick<Connection, 'charges'> {
  const dialect = env.CONFORMANCE_CHARGES === 'flat' ? 'flat' : 'spec'
  if (!env.CONFORMANCE_CHARGES && !env.CONFORMANCE_CHARGE_PATH) {
    return {}
  }

  const path = env.CONFORMANCE_CHARGE_PATH ?? OUR_CHARGES[dialect].path
  const usual = dialect === 'spec' ? `${path}/:external_reference/status` : OUR_CHARGES.flat.statusPath
  return { charges: { dialect, path, statusPath: env.CONFORMANCE_CHARGE_STATUS_PATH ?? usual } }
}

// An empty variable says that the gateway has no such service.
const orNone = (value: string | undefined) => value || undefined

/** Returns the portal, the other environment and the new production that the variables name. */
function environmentsFrom(
  env: Environment,
  baseUrl: string,
): Pick<Connection, 'environment' | 'portal' | 'other' | 'newProduction'> {
  const environment = env.CONFORMANCE_ENVIRONMENT === 'production' ? 'production' : 'sandbox'
  const { CONFORMANCE_PORTAL_USER: email, CONFORMANCE_PORTAL_PASSWORD: password } = env
  const {
    CONFORMANCE_OTHER_BASE_URL: otherUrl,
    CONFORMANCE_OTHER_CONSUMER_KEY: consumer_key,
    CONFORMANCE_OTHER_CONSUMER_SECRET: consumer_secret,
  } = env
  const {
    CONFORMANCE_NEW_BASE_URL: newUrl,
    CONFORMANCE_NEW_PORTAL_USER: newEmail,
    CONFORMANCE_NEW_PORTAL_PASSWORD: newPassword,
  } = env
  return {
    environment,
    ...(email && password && { portal: portalPages(requestsTo(baseUrl), environment, { email, password }) }),
    ...(otherUrl &&
      consumer_key &&
      consumer_secret && {
        other: async () => ({
          baseUrl: otherUrl,
          fetch,
          credentials: { ...SEEDED, consumer_key, consumer_secret },
        }),
      }),
    ...(newUrl &&
      newEmail &&
      newPassword && {
        newProduction: async () => ({
          connection: { baseUrl: newUrl, fetch, environment: 'production' },
          portal: await openLivePortal({
            app: requestsTo(newUrl),
            owner: { email: newEmail, password: newPassword },
          }),
        }),
      }),
  }
}

/** Sends requests as the portal visitor does, which follows no redirect by itself. */
export function requestsTo(baseUrl: string) {
  return {
    request: (path: string, init: RequestInit = {}) => fetch(baseUrl + path, { ...init, redirect: 'manual' }),
  }
}
