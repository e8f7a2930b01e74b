/** The words of the page of a link that the element does not have. */

export interface LinkWords {
  quantity: string
  /** How to correct each field. */
  number: (least: string, most: string) => string
  amount: string
  answer: (most: number) => string
  /** Why the page is shown again, and has to be pressed again. */
  aged: string
}

const en: LinkWords = {
  quantity: 'How many',
  number: (least, most) => `Enter a whole number from ${least} to ${most}.`,
  amount: 'Choose an amount.',
  answer: (most) => `Enter an answer of at most ${most} characters.`,
  aged: 'This page was open for too long. Check what you chose, and press again.',
}

const sw: LinkWords = {
  quantity: 'Idadi',
  number: (least, most) => `Andika namba kamili kuanzia ${least} hadi ${most}.`,
  amount: 'Chagua kiasi.',
  answer: (most) => `Andika jibu lisilozidi herufi ${most}.`,
  aged: 'Ukurasa huu umekaa wazi kwa muda mrefu. Hakikisha ulichochagua, kisha bonyeza tena.',
}

const fr: LinkWords = {
  quantity: 'Quantité',
  number: (least, most) => `Saisissez un nombre entier de ${least} à ${most}.`,
  amount: 'Choisissez un montant.',
  answer: (most) => `Saisissez une réponse de ${most} caractères au plus.`,
  aged: 'Cette page est restée ouverte trop longtemps. Vérifiez votre choix, puis appuyez à nouveau.',
}

const pt: LinkWords = {
  quantity: 'Quantidade',
  number: (least, most) => `Introduza um número inteiro de ${least} a ${most}.`,
  amount: 'Escolha um valor.',
  answer: (most) => `Introduza uma resposta de ${most} caracteres no máximo.`,
  aged: 'Esta página esteve aberta demasiado tempo. Verifique o que escolheu e prima novamente.',
}

const ar: LinkWords = {
  quantity: 'العدد',
  number: (least, most) => `أدخل عددًا صحيحًا من ${least} إلى ${most}.`,
  amount: 'اختر مبلغًا.',
  answer: (most) => `أدخل إجابة لا تزيد على ${most} حرف.`,
  aged: 'ظلت هذه الصفحة مفتوحة مدة طويلة. تحقق مما اخترته ثم اضغط مرة أخرى.',
}

const WORDS: Readonly<Record<string, LinkWords>> = { en, sw, fr, pt, ar }

export function linkWords(language: string): LinkWords {
  return WORDS[language] ?? en
}
