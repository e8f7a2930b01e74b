// The steps by which a merchant comes to production. [assumed] The spec names onboarding but not its steps. [spec: What
// the service does, 4]

export const STEPS = {
  business: {
    title: 'Business',
    fields: { legal_name: 'Legal name', registration_number: 'Registration number', country: 'Country' },
  },
  person: {
    title: 'Responsible person',
    fields: { full_name: 'Full name', email: 'E-mail address', phone: 'Phone number' },
  },
  bank: {
    title: 'Bank account',
    fields: { bank: 'Bank', account_name: 'Account name', account_number: 'Account number' },
  },
  agreement: { title: 'Agreement', fields: { signed_by: 'Signed by' } },
} as const

export type Step = keyof typeof STEPS
/** In the order of the portal. The agreement is last. */
export const STEP_NAMES = Object.keys(STEPS).filter((name): name is Step => name in STEPS)

export type Answers = Readonly<Record<string, string>>

/** The steps that a merchant takes before the first payout in production. */
export function createOnboarding() {
  const answers = new Map<Step, Answers>()
  /** Returns the first step without answers; `null` if the onboarding is complete. */
  const nextStep = () => STEP_NAMES.find((step) => !answers.has(step)) ?? null
  return {
    answersOf: (step: Step) => answers.get(step) ?? null,
    /**
     * Stores the answers of a step, and returns `null`; otherwise returns why the step cannot be answered. The
     * agreement completes the onboarding.
     */
    answer(step: Step, given: Answers): string | null {
      const next = nextStep()
      if (next === null) {
        return 'the onboarding is complete, and its answers can no longer be changed.'
      }
      if (step === 'agreement' && next !== step) {
        return `complete the step ${STEPS[next].title} first.`
      }

      answers.set(step, given)
      return null
    },
    nextStep,
    isComplete: () => nextStep() === null,
  }
}
