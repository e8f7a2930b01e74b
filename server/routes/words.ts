/** The words of this server's pages that the element does not have. */

import type { Language, Sentence } from 'gateway-checkout/words'

export interface PageWords {
  quantity: string
  amount: string
  /** How to correct each field. */
  number: (least: string, most: string) => string
  choose: string
  answer: (most: number) => string
  /** Why the page is shown again, and has to be pressed again. */
  aged: string
  pressed: string
  /** The titles of pages without a link to pay: there never was one of this address, or it has ended. */
  noLink: string
  ended: string
  /** Of an address that does not exist, and what to do about it. */
  lost: Sentence
}

const en: PageWords = {
  quantity: 'How many',
  amount: 'Amount',
  number: (least, most) => `Enter a whole number from ${least} to ${most}.`,
  choose: 'Choose an amount.',
  answer: (most) => `Enter an answer of at most ${most} characters.`,
  aged: 'This page was open for too long. Check what you chose, and press again.',
  pressed: 'Something else was chosen on this page before. Check what you chose, and press again.',
  noLink: 'This link does not exist',
  ended: 'This link takes no more payments',
  lost: ['This page does not exist', 'Check the address.'],
}

const sw: PageWords = {
  quantity: 'Idadi',
  amount: 'Kiasi',
  number: (least, most) => `Andika namba kamili kuanzia ${least} hadi ${most}.`,
  choose: 'Chagua kiasi.',
  answer: (most) => `Andika jibu lisilozidi herufi ${most}.`,
  aged: 'Ukurasa huu umekaa wazi kwa muda mrefu. Hakikisha ulichochagua, kisha bonyeza tena.',
  pressed:
    'Kitu kingine kilichaguliwa kwenye ukurasa huu hapo awali. Hakikisha ulichochagua, kisha bonyeza tena.',
  noLink: 'Kiungo hiki hakipo',
  ended: 'Kiungo hiki hakipokei malipo tena',
  lost: ['Ukurasa huu haupo', 'Hakikisha anwani.'],
}

const fr: PageWords = {
  quantity: 'Quantité',
  amount: 'Montant',
  number: (least, most) => `Saisissez un nombre entier de ${least} à ${most}.`,
  choose: 'Choisissez un montant.',
  answer: (most) => `Saisissez une réponse de ${most} caractères au plus.`,
  aged: 'Cette page est restée ouverte trop longtemps. Vérifiez votre choix, puis appuyez à nouveau.',
  pressed: 'Un autre choix a déjà été fait sur cette page. Vérifiez votre choix, puis appuyez à nouveau.',
  noLink: 'Ce lien n’existe pas',
  ended: 'Ce lien n’accepte plus de paiements',
  lost: ['Cette page n’existe pas', 'Vérifiez l’adresse.'],
}

const pt: PageWords = {
  quantity: 'Quantidade',
  amount: 'Valor',
  number: (least, most) => `Introduza um número inteiro de ${least} a ${most}.`,
  choose: 'Escolha um valor.',
  answer: (most) => `Introduza uma resposta de ${most} caracteres no máximo.`,
  aged: 'Esta página esteve aberta demasiado tempo. Verifique o que escolheu e prima novamente.',
  pressed: 'Nesta página já foi feita outra escolha. Verifique o que escolheu e prima novamente.',
  noLink: 'Esta ligação não existe',
  ended: 'Esta ligação já não aceita pagamentos',
  lost: ['Esta página não existe', 'Verifique o endereço.'],
}

const ar: PageWords = {
  quantity: 'العدد',
  amount: 'المبلغ',
  number: (least, most) => `أدخل عددًا صحيحًا من ${least} إلى ${most}.`,
  choose: 'اختر مبلغًا.',
  answer: (most) => `أدخل إجابة لا تزيد على ${most} حرف.`,
  aged: 'ظلت هذه الصفحة مفتوحة مدة طويلة. تحقق مما اخترته ثم اضغط مرة أخرى.',
  pressed: 'سبق اختيار شيء آخر في هذه الصفحة. تحقق مما اخترته ثم اضغط مرة أخرى.',
  noLink: 'هذا الرابط غير موجود',
  ended: 'لم يعد هذا الرابط يقبل المدفوعات',
  lost: ['هذه الصفحة غير موجودة', 'تحقق من العنوان.'],
}

const WORDS: Readonly<Record<Language, PageWords>> = { en, sw, fr, pt, ar }

export function pageWords(language: string): PageWords {
  return isLanguage(language) ? WORDS[language] : en
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(WORDS, text)
}
