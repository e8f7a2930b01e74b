/** The checks of the configuration alone. They ask nobody. */

import { ConfigError } from '../../config/config-error.ts'
import { readConfig } from '../../config/config.ts'
import { problemsAt, warningsAt } from '../../config/previous-secrets.ts'
import { describeProxy } from '../../config/proxy.ts'
import { UNLIMITED } from '../../config/rules.ts'
import { accountOf } from '../../store/merchant.ts'

import type { Context } from './context.ts'

export function checkEnvironment({ config, fine, later }: Context): void {
  if (config.environment === 'production') {
    fine('GATEWAY_ENVIRONMENT is production.')
  } else {
    later('GATEWAY_ENVIRONMENT is sandbox: no real money moves.')
  }
}

export function checkHttps({ config, fine, later }: Context): void {
  if (config.publicUrl.startsWith('https:')) {
    fine('PUBLIC_URL is https.')
  } else {
    later('PUBLIC_URL is not https; the gateway sends callbacks to https addresses only.')
  }
}

export function checkMerchantApi({ config, fine, note }: Context): void {
  if (config.apiKeys) {
    fine('The merchant API is on.')
  } else {
    note('MERCHANT_API_KEY is not set: the merchant API is off.')
  }
}

export function checkLimits({ config, fine, later }: Context): void {
  if (config.trustedProxies) {
    fine('TRUSTED_PROXIES is set: requests are limited per address.')
  } else {
    later(`TRUSTED_PROXIES ${UNLIMITED}`)
  }
}

export function checkProxy({ config, note }: Context): void {
  if (config.proxy) {
    note(describeProxy(config.proxy))
  }
}

export function checkWarnings({ shell, config, note, problem }: Context): void {
  for (const text of problemsAt(config, shell.clock.now())) {
    problem(text, 'variables')
  }

  for (const { about, text } of warningsAt(config, shell.clock.now())) {
    if (about === 'files') {
      note(text, about)
    } else {
      problem(text, about)
    }
  }
}

export function checkRehearsal({ config, problem }: Context): void {
  if (accountOf(config) === 'rehearsal') {
    problem('GATEWAY_REHEARSAL is set: the gateway may be a look-alike without real money.')
  }
}

/** Validates the configuration of a sandbox as if its environment were production. */
export function checkForProduction({ shell, config: { environment, warnings }, later }: Context): void {
  if (environment === 'production') {
    return
  }

  try {
    const env = { ...shell.env, GATEWAY_ENVIRONMENT: 'production', GATEWAY_REHEARSAL: undefined }
    for (const { text } of readConfig(env, shell.surroundings).warnings) {
      laterOnce(text)
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error
    }

    for (const detail of error.problems) {
      laterOnce(detail)
    }
  }

  /** The warnings of the sandbox have a line already. */
  function laterOnce(detail: string): void {
    if (!warnings.some(({ text }) => text === detail)) {
      later(detail)
    }
  }
}
