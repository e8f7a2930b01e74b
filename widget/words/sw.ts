/** The words in Swahili, as spoken in Kenya and Tanzania. */

import type { Words } from './en.ts'

const MONEY_MAY_HAVE_LEFT = 'Huenda pesa zimetoka kwenye akaunti yako. Tafadhali usilipe tena.'
const IF_NOT_BACK = 'Kama pesa hazijarudi kwenye akaunti iliyolipa, tafadhali wasiliana na duka.'

export default {
  language: 'sw',
  dir: 'ltr',

  pay: 'Lipa',
  cancel: 'Ghairi',
  retry: 'Jaribu tena',
  openPage: 'Nenda kwenye ukurasa wa malipo',
  payRest: 'Lipa kiasi kilichobaki: {rest}',
  next: 'Endelea',
  otherWay: 'Lipa kwa njia nyingine',
  operator: 'Mtandao wa simu',
  operatorOfNumber: 'Mtandao wa simu: {operator}',
  operatorAway: '{operator} haipatikani.',
  otherNumber: 'Namba nyingine',
  change: 'Badilisha',

  testMode: 'Hali ya majaribio: si pesa halisi.',
  timeLeft: 'Zimebaki {time}',
  endsSoon: 'Zimebaki chini ya dakika mbili za kulipa.',
  startAgain: 'Baada ya hapo, unaweza kuanza upya.',
  ended: 'Muda wa kulipa umekwisha. Kwa dakika mbili zaidi, tunaangalia kama umelipa.',
  reference: 'Kumbukumbu:',
  order: 'Oda:',
  receiptNumber: 'Namba ya risiti:',
  paidTo: 'Imelipwa kwa {payee}',
  contact: 'Wasiliana na duka',
  share: 'Shiriki',

  payerDetails: 'Taarifa zako za malipo',
  payer_name: 'Jina kamili',
  payer_email: 'Anwani ya barua pepe',
  payer_msisdn: 'Namba ya simu',
  msisdnExample: 'Kwa mfano +254\u00a0712\u00a0345\u00a0678',
  problem: {
    payer_name: 'Andika jina lako kamili.',
    payer_email: 'Andika anwani yako ya barua pepe, kama jina@mfano.com.',
    payer_msisdn: 'Andika namba yako ya simu, pamoja na msimbo wa nchi.',
  },
  required: 'Tafadhali lipa kwanza.',

  sentence: {
    starting: ['Ukurasa wa malipo unafunguka…', ''],
    asking: ['Tunatuma ombi kwenye simu yako…', ''],
    checking: ['Tunaangalia malipo yako', 'Tafadhali usilipe tena.'],
    blocked: ['Kivinjari chako kimezuia ukurasa wa malipo', 'Tafadhali ufungue hapa.'],
    waiting: ['Tunasubiri malipo yako', 'Lipa kwenye ukurasa wa malipo. Tutathibitisha hapa.'],
    open: ['Maliza kwenye dirisha la malipo', 'Tutathibitisha malipo hapa.'],
    closed: ['Malipo bado hayajathibitishwa', 'Kama umelipa, subiri. Kama bado, fungua ukurasa wa malipo.'],
    prompted: ['Angalia simu yako', 'Weka PIN yako ikiulizwa. Tutathibitisha malipo hapa.'],
    paid: ['Imelipwa', 'Tumepokea malipo yako. Asante.'],
    overpaid: ['Imelipwa', 'Tumepokea {paid}, ambayo imezidi kwa {rest}. Tafadhali wasiliana na duka.'],
    partial: ['Imebaki {rest}', 'Tumepokea {paid} kati ya {asked}.'],
    partialEnded: ['Imelipwa kwa sehemu', 'Tumepokea {paid}. {rest} haikulipwa. Wasiliana na duka.'],
    unpaid: ['Jaribio lako halikufanikiwa', 'Hakuna malipo yaliyothibitishwa. Unaweza kujaribu tena.'],
    unpaidEnded: ['Haijalipwa', 'Hakuna malipo yaliyothibitishwa kwa wakati. Unaweza kujaribu tena.'],
    expired: ['Muda wa kulipa umeisha', 'Hakuna malipo yaliyothibitishwa kwa wakati. Unaweza kujaribu tena.'],
    reversed: ['Malipo yamebatilishwa', `Malipo ya {asked} yamebatilishwa. ${IF_NOT_BACK}`],
    refunded: ['Pesa zimerudishwa', `Malipo ya {asked} yamerudishwa. ${IF_NOT_BACK}`],
    jammed: ['Malipo yako yamechelewa', MONEY_MAY_HAVE_LEFT],
    pending: ['Malipo yako yanashughulikiwa', MONEY_MAY_HAVE_LEFT],
    review: ['Malipo yako yanakaguliwa', 'Duka litayaangalia. Tafadhali usilipe tena.'],
  },

  reason: {
    not_enough_money: ['Salio halitoshi', 'Ongeza pesa kwenye akaunti yako, au lipa kwa akaunti nyingine.'],
    wrong_pin: ['PIN haikuwa sahihi', 'Jaribu tena, kwa PIN ya akaunti yako ya pesa.'],
    cancelled: ['Ombi limeghairiwa', 'Unaweza kujaribu tena ukiwa tayari.'],
    no_answer: ['Ombi halikujibiwa', 'Fungua simu yako, jaribu tena, na uweke PIN simu ikiuliza.'],
    limit_reached: ['Kikomo cha akaunti yako kimefikiwa', 'Lipa kwa namba nyingine, au uliza mtandao wako.'],
    number_not_registered: ['Namba hii haina akaunti ya pesa', 'Angalia namba, au tumia namba nyingine.'],
    operator_unavailable: [
      'Mtandao wako haupatikani',
      'Jaribu tena baada ya dakika chache, au lipa kwa njia nyingine.',
    ],
  },
  sms: 'Kama SMS yako inasema pesa zimetoka, usilipe tena.',

  prompt: {
    phone: 'Weka PIN kwenye simu yenye namba inayoishia {end}',
    asks: '{operator} inaomba {asked} kwa {payee}.',
    quiet: 'Hujapata ujumbe? Fungua simu yako na uangalie mtandao.',
    dial: 'Hujapata ujumbe? Piga {dial} na utafute maombi yanayosubiri.',
    ends: 'Ombi hili likiisha, utaweza kuomba tena au kutumia namba nyingine.',
  },
  offline: 'Inaonekana huna mtandao. Tutaangalia tena mtandao ukirudi. Kama umelipa, usilipe tena.',
  troubled: 'Bado hakuna taarifa. Tunaendelea kuangalia.',

  failure: {
    network: ['Huduma ya malipo haipatikani', 'Tafadhali angalia mtandao wako.'],
    order_unknown: ['Oda haikupatikana', 'Tafadhali wasiliana na duka.'],
    order_invalid: ['Oda hii si sahihi', 'Tafadhali wasiliana na duka.'],
    order_expired: ['Muda wa oda hii umeisha', 'Tafadhali agiza upya.'],
    order_not_payable: ['Oda hii haiwezi kulipwa tena', 'Tafadhali wasiliana na duka.'],
    order_changed: ['Oda hii imebadilika', 'Malipo mengine yako wazi. Jaribu baadaye, au wasiliana na duka.'],
    unknown_checkout: ['Malipo hayakupatikana', 'Kama umelipa, tafadhali wasiliana na duka.'],
    amount_out_of_bounds: ['Mtandao wako haupokei kiasi hiki', 'Tafadhali lipa kwa njia nyingine.'],
    too_many_requests: ['Umejaribu mara nyingi mno', 'Tafadhali jaribu tena baadaye.'],
    again: ['Huduma ya malipo haijibu', 'Tafadhali jaribu tena baada ya muda mfupi.'],
    other: ['Huwezi kulipa hapa kwa sasa', 'Tafadhali wasiliana na duka.'],
  },

  receipt: {
    title: 'Maelezo',
    copy: 'Nakili',
    copied: 'Imenakiliwa',
    print: 'Chapisha',
    notCopied: 'Haikunakiliwa',
  },
  phone: {
    open: 'Endelea kwenye simu yako',
    scan: 'Skani msimbo huu ili ufungue malipo haya kwenye simu yako. Tutathibitisha hapa.',
    code: 'Msimbo wa QR wa ukurasa wa malipo',
  },
  overlay: {
    title: 'Endelea kwenye dirisha la malipo',
    to: 'kwa {payee}',
    show: 'Onyesha dirisha la malipo',
    leave: 'Rudi kwenye ukurasa huu',
  },
  backToShop: 'Rudi dukani',
} satisfies Words
