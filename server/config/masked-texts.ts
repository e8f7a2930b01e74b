/** The texts of a configuration that nobody may see. What is logged and answered is masked by them. */

import { parseUrl } from '../contract/parse.ts'
import { Secret } from './secret.ts'

import type { Config } from './config.ts'

/** Returns the texts that nobody may see: every secret of the configuration, and of addresses the password. */
export function secretsOf(config: Config): string[] {
  const { gateway, storeUrl, proxy, ...others } = config
  const urls = proxy ? [storeUrl, proxy.url] : [storeUrl]
  const passwords = urls.map((url) => parseUrl(url.reveal())?.password ?? '')
  return [gateway.consumerKey, ...secretsIn({ gateway, others }), ...passwords]
}

function secretsIn(value: object): string[] {
  if (value instanceof Secret) {
    return [value.reveal()]
  }

  return Object.values(value).flatMap((part) =>
    typeof part === 'object' && part !== null ? secretsIn(part) : [],
  )
}
