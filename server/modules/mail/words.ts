/** What mails say that no screen says. A language without its words does not compile. */
import type { Locale } from '#contract/locales.ts';

export interface MailWords {
  greeting(name: string): string;
  welcome: { subject(shop: string): string; text: string; action: string };
  temporaryPassword: { subject(shop: string): string; text: string; until: string; old: string; action: string; notYou: string };
  passwordChanged: { subject(shop: string): string; text: string; sessions: string; notYou(email: string): string };
  orderConfirmation: { subject(shop: string, number: string): string; action: string };
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
