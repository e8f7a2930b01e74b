/** The words in Portuguese, as spoken in Mozambique. */

import type { Words } from './en.ts'

const MONEY_MAY_HAVE_LEFT = 'O dinheiro pode ter saído da sua conta. Por favor, não pague de novo.'
const IF_NOT_BACK = 'Se o dinheiro não voltou à conta que pagou, por favor, contacte a loja.'

export default {
  language: 'pt',
  dir: 'ltr',

  pay: 'Pagar',
  cancel: 'Cancelar',
  retry: 'Tentar de novo',
  openPage: 'Ir para a página de pagamento',
  payRest: 'Pagar os {rest} em falta',
  next: 'Continuar',
  otherWay: 'Pagar de outra forma',
  operator: 'Operadora móvel',
  operatorOfNumber: 'Operadora móvel: {operator}',
  operatorAway: '{operator} está indisponível.',
  otherNumber: 'Outro número',
  change: 'Alterar',

  testMode: 'Modo de teste: sem dinheiro real.',
  timeLeft: 'Restam {time}',
  endsSoon: 'Faltam menos de dois minutos para pagar.',
  startAgain: 'Depois, pode começar de novo.',
  ended: 'O tempo para pagar esgotou-se. Durante mais dois minutos, verificamos se pagou.',
  reference: 'Referência:',
  order: 'Encomenda:',
  receiptNumber: 'Número do recibo:',
  paidTo: 'Pago a {payee}',
  contact: 'Contactar a loja',
  share: 'Partilhar',

  payerDetails: 'Os seus dados para o pagamento',
  payer_name: 'Nome completo',
  payer_email: 'Endereço de e-mail',
  payer_msisdn: 'Número de telemóvel',
  msisdnExample: 'Por exemplo +258\u00a084\u00a0123\u00a04567',
  problem: {
    payer_name: 'Escreva o seu nome completo.',
    payer_email: 'Escreva o seu endereço de e-mail, como nome@exemplo.com.',
    payer_msisdn: 'Escreva o seu número de telemóvel, com o indicativo.',
  },
  required: 'Por favor, pague primeiro.',

  sentence: {
    starting: ['A abrir a página de pagamento…', ''],
    asking: ['A enviar o pedido para o seu telemóvel…', ''],
    checking: ['A verificar o seu pagamento', 'Não pague de novo.'],
    blocked: ['O seu navegador bloqueou a página de pagamento', 'Por favor, abra-a aqui.'],
    waiting: ['À espera do seu pagamento', 'Pague na página de pagamento. Vamos confirmá-lo aqui.'],
    open: ['Termine na janela de pagamento', 'Vamos confirmar o pagamento aqui.'],
    closed: ['Ainda não confirmado', 'Se já pagou, aguarde. Se não, vá para a página de pagamento.'],
    prompted: ['Veja o seu telemóvel', 'Escreva o seu PIN se for pedido. Vamos confirmar o pagamento aqui.'],
    paid: ['Pago', 'Recebemos o seu pagamento. Obrigado.'],
    overpaid: ['Pago', 'Recebemos {paid}, ou seja, {rest} a mais. Por favor, contacte a loja.'],
    partial: ['Faltam {rest}', 'Recebemos {paid} de um total de {asked}.'],
    partialEnded: ['Pago em parte', 'Recebemos {paid}. Faltam {rest}. Por favor, contacte a loja.'],
    unpaid: ['A sua última tentativa não resultou', 'Nenhum pagamento foi confirmado. Pode tentar de novo.'],
    unpaidEnded: ['Não pago', 'Nenhum pagamento foi confirmado a tempo. Pode tentar de novo.'],
    expired: ['O prazo para pagar terminou', 'Nenhum pagamento foi confirmado a tempo. Pode tentar de novo.'],
    reversed: ['Pagamento revertido', `O pagamento de {asked} foi revertido. ${IF_NOT_BACK}`],
    refunded: ['Reembolsado', `O pagamento de {asked} foi reembolsado. ${IF_NOT_BACK}`],
    jammed: ['O seu pagamento está atrasado', MONEY_MAY_HAVE_LEFT],
    pending: ['O seu pagamento está em curso', MONEY_MAY_HAVE_LEFT],
    review: ['O seu pagamento está a ser verificado', 'A loja vai analisá-lo. Por favor, não pague de novo.'],
  },

  reason: {
    not_enough_money: ['Saldo insuficiente', 'Carregue a sua conta, ou pague com outra.'],
    wrong_pin: ['O PIN estava errado', 'Tente de novo, com o PIN da sua conta móvel.'],
    cancelled: ['O pedido foi cancelado', 'Pode tentar de novo quando quiser.'],
    no_answer: ['O pedido ficou sem resposta', 'Desbloqueie o telemóvel, tente de novo e escreva o seu PIN.'],
    limit_reached: ['A sua conta atingiu um limite', 'Pague com outro número, ou pergunte à sua operadora.'],
    number_not_registered: ['Este número não tem conta móvel', 'Verifique o número, ou use outro.'],
    operator_unavailable: [
      'A sua operadora está indisponível',
      'Tente de novo daqui a alguns minutos, ou pague de outra forma.',
    ],
  },
  sms: 'Se o seu SMS diz que saiu dinheiro, não pague de novo.',

  prompt: {
    phone: 'Escreva o seu PIN no telemóvel que termina em {end}',
    asks: '{operator} pede {asked} para {payee}.',
    quiet: 'Não recebeu a mensagem? Desbloqueie o telemóvel e verifique a rede.',
    dial: 'Não recebeu a mensagem? Marque {dial} e procure os pedidos pendentes.',
    ends: 'Quando este pedido terminar, pode pedir de novo ou usar outro número.',
  },
  offline:
    'Parece que está sem ligação. Voltamos a verificar quando a ligação regressar. Se já pagou, não pague de novo.',
  troubled: 'Ainda não há notícias. Continuamos a verificar.',

  failure: {
    network: ['O serviço de pagamento está inacessível', 'Por favor, verifique a sua ligação.'],
    order_unknown: ['Encomenda não encontrada', 'Por favor, contacte a loja.'],
    order_invalid: ['Esta encomenda não é válida', 'Por favor, contacte a loja.'],
    order_expired: ['Esta encomenda expirou', 'Por favor, encomende de novo.'],
    order_not_payable: ['Esta encomenda já não pode ser paga', 'Por favor, contacte a loja.'],
    order_changed: ['A encomenda mudou', 'Há outro pagamento aberto. Tente mais tarde, ou contacte a loja.'],
    unknown_checkout: ['Pagamento não encontrado', 'Se já pagou, por favor, contacte a loja.'],
    amount_out_of_bounds: ['A sua operadora não aceita este valor', 'Pague de outra forma.'],
    too_many_requests: ['Demasiadas tentativas', 'Por favor, tente de novo mais tarde.'],
    again: ['O serviço de pagamento não responde', 'Por favor, tente de novo daqui a pouco.'],
    other: ['De momento não pode pagar aqui', 'Por favor, contacte a loja.'],
  },

  receipt: {
    title: 'Detalhes',
    copy: 'Copiar',
    copied: 'Copiado',
    print: 'Imprimir',
    notCopied: 'Não copiado',
  },
  phone: {
    open: 'Continuar no telemóvel',
    scan: 'Leia o código para abrir este pagamento no telemóvel. Vamos confirmá-lo aqui.',
    code: 'Código QR da página de pagamento',
  },
  overlay: {
    title: 'Continue na janela de pagamento',
    to: 'para {payee}',
    show: 'Mostrar a janela de pagamento',
    leave: 'Voltar a esta página',
  },
  backToShop: 'Voltar à loja',
} satisfies Words
