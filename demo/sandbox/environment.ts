// Which of the gateway's two environments a sandbox simulates.

/**
 * `production` is a look-alike of the gateway's production environment: no number selects a scenario, nothing controls
 * it, callbacks reach this machine only under names that were given, and payouts need a completed onboarding and a
 * funded float. [spec: What the service does, 2, 4 and 5]
 */
export type Environment = 'sandbox' | 'production'
