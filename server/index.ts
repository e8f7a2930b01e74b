/**
 * The public API of the package `gateway-checkout-server`. Everything that is not exported here may change without
 * notice.
 */

export { createApp, embed, start } from './every-feature.ts'
export { systemClock } from './work/clock.ts'
export { readConfig } from './config/config.ts'
export { ConfigError } from './config/config-error.ts'
export { GatewayError, GatewayRefusal } from './gateway/errors.ts'
export { createGatewayClient } from './gateway/client.ts'
export { createMetrics } from './metrics/prometheus.ts'
export { verifyWebhook, WebhookError } from './outbox/verify-webhook.ts'
export { quote } from './money/quote.ts'
export { openStore } from './store/open.ts'
export { signOrder } from './orders/signed.ts'
export { renderCheckout } from './checkouts/markup.ts'

export type { App, AppOptions } from './app.ts'
export type { Clock } from './work/clock.ts'
export type { Config } from './config/config.ts'
export type { Environment as EnvironmentVariables } from './config/variables.ts'
export type { Secret } from './config/secret.ts'
export type { EventType } from './api/kind-table.ts'
export type { Problem } from './api/refusal.ts'
export type { ProblemCode } from './api/problem-codes.ts'
export type {
  CheckoutView,
  Discrepancy as CheckoutDiscrepancy,
  Outcome as CheckoutOutcome,
  PaymentView,
} from './api/view.ts'
export type { TrackedCheckout } from './api/view-schema.ts'
export type { TrackedCharge } from './api/charge.ts'
export type { TrackedAirtime, TrackedRecipient } from './api/airtime.ts'
export type { TrackedPayout } from './api/payout.ts'
export type { Fetch } from './http/exchange.ts'
export type { GatewayClient, GatewayClientOptions } from './gateway/client.ts'
export type { GatewayErrorCode } from './gateway/errors.ts'
export type { GatewayExchange } from './gateway/transport.ts'
export type { Quote, QuoteRequest } from './money/quote.ts'
export type { Log } from './log/log.ts'
export type { NodeHandler, NodeRequest } from './listener/node-handler.ts'
export type { Metrics } from './metrics/metrics.ts'
export type { MetricsOptions, PrometheusMetrics } from './metrics/prometheus.ts'
export type { OrderInput } from './orders/order.ts'
export type { FindOrder } from './orders/sources.ts'
export type { SignOrderOptions } from './orders/signed.ts'
export type { RenderCheckoutOptions } from './checkouts/markup.ts'
export type { MerchantEvent, OnEvent } from './outbox/handler.ts'
export type { WebhookToVerify } from './outbox/verify-webhook.ts'
export type { Randomness } from './work/randomness.ts'
export type { Store } from './store/store.ts'
export type { Embedded, EmbedOptions, Started, StartOptions } from './start.ts'
