/** The variables of the servers in the worlds, and the addresses in them. */

import type { Environment } from '../../../server/config/variables.ts'

export const SHOP = 'https://shop.example'
export const GATEWAY = 'http://127.0.0.1:4010'
export const BFF = 'http://127.0.0.1:4020'
export const BACKEND = 'http://127.0.0.1:4030/webhooks'
export const API_KEY = 'the key of a merchant in a test'
export const SECRET = `whsec_${Buffer.from('the secret of a merchant in a test').toString('base64')}`

export const ENVIRONMENT: Environment = {
  GATEWAY_ENVIRONMENT: 'sandbox',
  GATEWAY_BASE_URL: GATEWAY,
  GATEWAY_CONSUMER_KEY: 'sandbox-key',
  GATEWAY_CONSUMER_SECRET: 'sandbox-secret',
  GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
  GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
  GATEWAY_CHARGE_PATH: '/v1/charges',
  PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
  PUBLIC_URL: BFF,
  ALLOWED_ORIGINS: SHOP,
  DEFAULT_COUNTRY: 'KE',
  MERCHANT_API_KEY: API_KEY,
  MERCHANT_WEBHOOK_URL: BACKEND,
  MERCHANT_WEBHOOK_SECRET: SECRET,
}
