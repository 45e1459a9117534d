/** What mails say that no screen says. A language without its words does not compile. */
import type { Locale } from '#contract/locales.ts';

interface OrderNewsWords {
  subject(shop: string, number: string): string;
  text(number: string): string;
}

export interface MailWords {
  greeting(name: string): string;
  welcome: { subject(shop: string): string; text: string; action: string };
  temporaryPassword: { subject(shop: string): string; text: string; until: string; old: string; action: string; notYou: string };
  passwordChanged: { subject(shop: string): string; text: string; sessions: string; notYou(email: string): string };
  orderConfirmation: { subject(shop: string, number: string): string; action: string };
  orderReady: OrderNewsWords;
  orderShipped: OrderNewsWords;
  orderCancelled: OrderNewsWords & { comesBack: string };
  reservationLapsed: OrderNewsWords;
  refund: {
    /** `number` is null where the order was never placed. */
    subject(shop: string, number: string | null): string;
    title(amount: string): string;
    text(number: string): string;
    late: string;
    when: string;
    row: string;
    rowTip: string;
  };
  formMessage: { subject(form: string, shop: string): string; title(form: string): string; reply: string };
  /** Why this mail was sent, below the line. */
  why: { account(shop: string): string; order(shop: string): string; form(shop: string): string };
}

export const mailWords: Record<Locale, MailWords> = {
  en: {
    greeting: (name) => `Hello ${name},`,
    welcome: {
      subject: (shop) => `Welcome to ${shop}`,
      text: 'Your account is ready. It keeps your addresses for the next time, shows your orders, and your cart follows you from one device to another.',
      action: 'Go to your account',
    },
    temporaryPassword: {
      subject: (shop) => `Your temporary password for ${shop}`,
      text: 'Somebody, hopefully you, asked for a new password for your account. This is a temporary one:',
      until: 'Use it within 30 minutes to set a new password of your own. It works once.',
      old: 'Your old password stays good until then.',
      action: 'Set a new password',
      notYou: 'If it was not you, there is nothing you need to do.',
    },
    passwordChanged: {
      subject: (shop) => `Your password for ${shop} was changed`,
      text: 'The password of your account has just been changed.',
      sessions: 'All other devices were signed out.',
      notYou: (email) => `If it was not you, ask for a new password at once, and write to us: ${email}`,
    },
    orderConfirmation: { subject: (shop, number) => `Your order ${number} at ${shop}`, action: 'See your order' },
    orderReady: {
      subject: (shop, number) => `Your order ${number} at ${shop} is ready`,
      text: (number) => `Your order ${number} is ready to be picked up.`,
    },
    orderShipped: {
      subject: (shop, number) => `Your order ${number} from ${shop} is on its way`,
      text: (number) => `We have sent your order ${number}.`,
    },
    orderCancelled: {
      subject: (shop, number) => `Your order ${number} at ${shop} was cancelled`,
      text: (number) => `Your order ${number} was cancelled.`,
      comesBack: 'What you paid goes back the way you paid it. Another mail confirms the refund.',
    },
    reservationLapsed: {
      subject: (shop, number) => `Your reservation ${number} at ${shop} has ended`,
      text: (number) =>
        `Nobody came for your order ${number}, so its goods are back on sale. Nothing was charged. If you would still like them, please order again.`,
    },
    refund: {
      subject: (shop, number) => (number === null ? `Your refund from ${shop}` : `Your refund for order ${number} at ${shop}`),
      title: (amount) => `We have refunded ${amount}`,
      text: (number) => `This is your receipt for the refund of your order ${number}.`,
      late: 'Your payment reached us when what you wanted was no longer there, so no order was placed and all of it goes back to you.',
      when: 'It goes back the way you paid. Depending on your bank that takes a few days.',
      row: 'Refunded',
      rowTip: 'Refunded tip',
    },
    formMessage: {
      subject: (form, shop) => `Message by the form “${form}” at ${shop}`,
      title: (form) => `Somebody wrote by the form “${form}”`,
      reply: 'Answer this mail to write to the sender.',
    },
    why: {
      account: (shop) => `You receive this mail because there is an account with your address at ${shop}.`,
      order: (shop) => `You receive this mail because somebody ordered at ${shop} and gave this address.`,
      form: (shop) => `You receive this mail because a form of ${shop} names this address.`,
    },
  },
  zh: {
    greeting: (name) => `${name}，您好：`,
    welcome: {
      subject: (shop) => `欢迎加入${shop}`,
      text: '您的账户已经开通。地址会为您保存，订单随时可查，购物车也会在您的各个设备间同步。',
      action: '前往我的账户',
    },
    temporaryPassword: {
      subject: (shop) => `您在${shop}的临时密码`,
      text: '我们收到了为您的账户重设密码的请求。您的临时密码是：',
      until: '请在 30 分钟内用它设置新密码，仅可使用一次。',
      old: '在此之前，您的原密码仍然有效。',
      action: '设置新密码',
      notYou: '如果这不是您本人的操作，请忽略此邮件。',
    },
    passwordChanged: {
      subject: (shop) => `您在${shop}的密码已修改`,
      text: '您的账户密码刚刚已被修改。',
      sessions: '其他设备均已退出登录。',
      notYou: (email) => `如果这不是您本人的操作，请立即重设密码并与我们联系：${email}`,
    },
    orderConfirmation: { subject: (shop, number) => `${shop}订单确认 ${number}`, action: '查看订单' },
    orderReady: {
      subject: (shop, number) => `您在${shop}的订单 ${number} 可以取货了`,
      text: (number) => `您的订单 ${number} 已备好，欢迎前来取货。`,
    },
    orderShipped: {
      subject: (shop, number) => `${shop}订单 ${number} 已发货`,
      text: (number) => `您的订单 ${number} 已发货。`,
    },
    orderCancelled: {
      subject: (shop, number) => `您在${shop}的订单 ${number} 已取消`,
      text: (number) => `您的订单 ${number} 已取消。`,
      comesBack: '您支付的款项将原路退回，退款完成后会另行邮件通知您。',
    },
    reservationLapsed: {
      subject: (shop, number) => `您在${shop}的预留订单 ${number} 已过期`,
      text: (number) => `您预留的订单 ${number} 未在保留时间内取货，商品已重新上架，未产生任何费用。如仍需要，欢迎重新下单。`,
    },
    refund: {
      subject: (shop, number) => (number === null ? `${shop}退款通知` : `${shop}订单 ${number} 退款通知`),
      title: (amount) => `已为您退款 ${amount}`,
      text: (number) => `这是订单 ${number} 的退款凭证。`,
      late: '您的付款到账时，所选商品已售完，订单未能生成，款项将全额退还给您。',
      when: '款项将原路退回，到账时间视银行而定，通常需要几天。',
      row: '退款',
      rowTip: '退还小费',
    },
    formMessage: {
      subject: (form, shop) => `${shop}表单留言（${form}）`,
      title: (form) => `表单“${form}”收到一条新留言`,
      reply: '直接回复此邮件即可联系留言者。',
    },
    why: {
      account: (shop) => `您收到此邮件，是因为您的邮箱在${shop}注册了账户。`,
      order: (shop) => `您收到此邮件，是因为有人在${shop}下单时填写了此邮箱。`,
      form: (shop) => `您收到此邮件，是因为${shop}的表单将留言寄往此邮箱。`,
    },
  },
};
