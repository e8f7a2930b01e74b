import type { Environment } from '../../server/config/variables.ts'
import { ConfigError, readConfig } from '../../server/config/config.ts'

export const LEAST: Environment = {
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_BASE_URL: 'https://gateway.example',
  GATEWAY_CONSUMER_KEY: 'the-consumer-key',
  GATEWAY_CONSUMER_SECRET: 'the-consumer-secret',
  GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
  GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
  PUBLIC_URL: 'https://pay.shop.example',
}

export function problemsOf(env: Environment, read?: (path: string) => string): readonly string[] {
  try {
    readConfig({ ...LEAST, ...env }, read)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
