/** What the first file says, before the words of `languages.ts` have arrived. */

import type { Sentence, Words } from './en.ts'
import type { Language } from './languages.ts'

interface FirstWords {
  dir: Words['dir']
  pay: string
  /** The word for loading the page again. */
  reload: string
  checking: Sentence
}

/** All but `reload` is as in the file of the language, so that nothing changes when the other words arrive. */
export const FIRST_WORDS: Readonly<Record<Language, FirstWords>> = {
  en: {
    dir: 'ltr',
    pay: 'Pay',
    reload: 'Reload',
    checking: ['Checking your payment', 'Please do not pay again.'],
  },
  ar: {
    dir: 'rtl',
    pay: 'ادفع',
    reload: 'إعادة التحميل',
    checking: ['جارٍ التحقق من الدفع', 'يرجى عدم الدفع مرة أخرى.'],
  },
  fr: {
    dir: 'ltr',
    pay: 'Payer',
    reload: 'Actualiser',
    checking: ['Vérification du paiement', 'Ne payez pas à nouveau.'],
  },
  pt: {
    dir: 'ltr',
    pay: 'Pagar',
    reload: 'Atualizar',
    checking: ['A verificar o seu pagamento', 'Não pague de novo.'],
  },
  sw: {
    dir: 'ltr',
    pay: 'Lipa',
    reload: 'Pakia upya',
    checking: ['Tunaangalia malipo yako', 'Tafadhali usilipe tena.'],
  },
}
