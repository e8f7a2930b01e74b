/** The words in French, as spoken in Senegal and Ivory Coast. */

import type { Words } from './en.ts'

const MONEY_MAY_HAVE_LEFT = 'De l’argent a pu quitter votre compte. Veuillez ne pas payer à nouveau.'
const IF_NOT_BACK = 'Si l’argent n’est pas revenu sur le compte qui a payé, veuillez contacter la boutique.'

export default {
  language: 'fr',
  dir: 'ltr',

  pay: 'Payer',
  cancel: 'Annuler',
  retry: 'Réessayer',
  openPage: 'Aller à la page de paiement',
  payRest: 'Payer les {rest} restants',
  next: 'Continuer',
  otherWay: 'Payer autrement',
  operator: 'Opérateur mobile',
  operatorOfNumber: 'Opérateur mobile\u00a0: {operator}',
  operatorAway: '{operator} est indisponible.',
  otherNumber: 'Un autre numéro',
  change: 'Modifier',

  testMode: 'Mode test\u00a0: pas d’argent réel.',
  timeLeft: 'Reste {time}',
  endsSoon: 'Il reste moins de deux minutes pour payer.',
  startAgain: 'Ensuite, vous pourrez recommencer.',
  ended: 'Le temps pour payer est écoulé. Pendant deux minutes encore, nous vérifions si vous avez payé.',
  reference: 'Référence\u00a0:',
  order: 'Commande\u00a0:',
  receiptNumber: 'Numéro de reçu\u00a0:',
  paidTo: 'Payé à {payee}',
  contact: 'Contacter la boutique',
  share: 'Partager',

  payerDetails: 'Vos coordonnées pour le paiement',
  payer_name: 'Nom complet',
  payer_email: 'Adresse e-mail',
  payer_msisdn: 'Numéro de mobile',
  msisdnExample: 'Par exemple +221\u00a077\u00a0123 45\u00a067',
  problem: {
    payer_name: 'Saisissez votre nom complet.',
    payer_email: 'Saisissez votre adresse e-mail (nom@exemple.com).',
    payer_msisdn: 'Saisissez votre numéro de mobile, avec l’indicatif.',
  },
  required: 'Veuillez payer d’abord.',

  sentence: {
    starting: ['Ouverture de la page de paiement…', ''],
    asking: ['Envoi de la demande à votre téléphone…', ''],
    checking: ['Vérification du paiement', 'Ne payez pas à nouveau.'],
    blocked: ['Votre navigateur a bloqué la page de paiement', 'Veuillez l’ouvrir ici.'],
    waiting: ['En attente du paiement', 'Payez sur la page de paiement. Nous le confirmerons ici.'],
    open: ['Terminez dans la fenêtre de paiement', 'Nous confirmerons le paiement ici.'],
    closed: ['Pas encore confirmé', 'Si vous avez payé, patientez. Sinon, allez à la page de paiement.'],
    prompted: [
      'Consultez votre téléphone',
      'Saisissez votre code secret s’il est demandé. Nous confirmerons le paiement ici.',
    ],
    paid: ['Payé', 'Nous avons reçu votre paiement. Merci.'],
    overpaid: ['Payé', 'Nous avons reçu {paid}, soit {rest} de trop. Veuillez contacter la boutique.'],
    partial: ['Reste {rest} à payer', 'Nous avons reçu {paid} sur {asked}.'],
    partialEnded: ['Payé en partie', 'Nous avons reçu {paid}. Il manque {rest}. Contactez la boutique.'],
    unpaid: ['Votre dernière tentative n’a pas abouti', 'Aucun paiement confirmé. Vous pouvez réessayer.'],
    unpaidEnded: ['Non payé', 'Aucun paiement confirmé à temps. Vous pouvez réessayer.'],
    expired: ['Le délai de paiement est dépassé', 'Aucun paiement confirmé à temps. Vous pouvez réessayer.'],
    reversed: ['Paiement annulé', `Le paiement de {asked} a été annulé. ${IF_NOT_BACK}`],
    refunded: ['Remboursé', `Le paiement de {asked} est remboursé. ${IF_NOT_BACK}`],
    jammed: ['Votre paiement est retardé', MONEY_MAY_HAVE_LEFT],
    pending: ['Votre paiement est en cours', MONEY_MAY_HAVE_LEFT],
    review: ['Votre paiement est en vérification', 'La boutique va l’examiner. Ne payez pas à nouveau.'],
  },

  reason: {
    not_enough_money: ['Solde insuffisant', 'Ajoutez de l’argent à votre compte, ou payez avec un autre.'],
    wrong_pin: ['Le code secret était incorrect', 'Réessayez, avec le code secret de votre compte mobile.'],
    cancelled: ['La demande a été annulée', 'Vous pouvez réessayer quand vous voulez.'],
    no_answer: [
      'La demande est restée sans réponse',
      'Déverrouillez votre téléphone, réessayez et saisissez votre code secret.',
    ],
    limit_reached: ['Plafond du compte atteint', 'Payez avec un autre numéro, ou contactez l’opérateur.'],
    number_not_registered: ['Ce numéro n’a pas de compte mobile', 'Vérifiez-le, ou utilisez-en un autre.'],
    operator_unavailable: ['Opérateur indisponible', 'Réessayez dans quelques minutes, ou payez autrement.'],
  },
  sms: 'Si votre SMS dit que de l’argent est parti, ne payez pas à nouveau.',

  prompt: {
    phone: 'Saisissez votre code secret sur le téléphone finissant par {end}',
    asks: '{operator} demande {asked} pour {payee}.',
    quiet: 'Pas de message\u00a0? Déverrouillez votre téléphone et vérifiez le réseau.',
    dial: 'Pas de message\u00a0? Composez le {dial} et cherchez les demandes en attente.',
    ends: 'Quand cette demande aura pris fin, vous pourrez redemander ou utiliser un autre numéro.',
  },
  offline:
    'Vous semblez être hors ligne. Nous vérifierons à nouveau dès votre retour en ligne. Si vous avez payé, ne payez pas à nouveau.',
  troubled: 'Pas encore de nouvelles. Nous continuons de vérifier.',

  failure: {
    network: ['Le service de paiement est injoignable', 'Veuillez vérifier votre connexion.'],
    order_unknown: ['Commande introuvable', 'Veuillez contacter la boutique.'],
    order_invalid: ['Cette commande n’est pas valable', 'Veuillez contacter la boutique.'],
    order_expired: ['Cette commande a expiré', 'Veuillez commander à nouveau.'],
    order_not_payable: ['Cette commande ne peut plus être payée', 'Veuillez contacter la boutique.'],
    order_changed: [
      'Cette commande a changé',
      'Un autre paiement est encore ouvert. Veuillez réessayer plus tard, ou contacter la boutique.',
    ],
    unknown_checkout: ['Paiement introuvable', 'Si vous avez payé, veuillez contacter la boutique.'],
    amount_out_of_bounds: ['Votre opérateur n’accepte pas ce montant', 'Veuillez payer autrement.'],
    too_many_requests: ['Trop de tentatives', 'Veuillez réessayer plus tard.'],
    again: ['Le service de paiement ne répond pas', 'Veuillez réessayer dans un instant.'],
    other: ['Vous ne pouvez pas payer ici pour le moment', 'Veuillez contacter la boutique.'],
  },

  receipt: { title: 'Détails', copy: 'Copier', copied: 'Copié', print: 'Imprimer', notCopied: 'Non copié' },
  phone: {
    open: 'Continuer sur votre téléphone',
    scan: 'Scannez le code pour ouvrir ce paiement sur votre téléphone. Nous le confirmerons ici.',
    code: 'Code QR de la page de paiement',
  },
  overlay: {
    title: 'Continuez dans la fenêtre de paiement',
    to: 'à {payee}',
    show: 'Afficher la fenêtre de paiement',
    leave: 'Revenir à cette page',
  },
  backToShop: 'Retour à la boutique',
} satisfies Words
