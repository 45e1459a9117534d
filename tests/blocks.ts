/** Publishes pages with blocks that a test defines. */
import type { TestApp } from './test-app.ts';

/** Publishes a page with these blocks; throws where one is left out. */
export async function publish(testApp: TestApp, name: string, blocks: readonly unknown[]): Promise<void> {
  const reports = await testApp.services.content.upsertPages([
    { name, title: { en: name }, metaDescription: { en: '' }, blocks },
  ]);
  if (reports.length > 0) throw new Error(JSON.stringify(reports));
}

export function feedBlock(url: string, count = 3, id = `feed-${url}`) {
  return { id: id.slice(0, 100), type: 'rssFeed', title: null, uiRssFeed: { url, count } };
}

export function videoBlock(provider: 'file' | 'youtube' | 'vimeo', src: string, more: object = {}) {
  return {
    id: `film-${src}`,
    type: 'video',
    title: { en: 'A film', zh: '影片' },
    provider,
    src,
    poster: null,
    caption: { en: '' },
    captions: [],
    ...more,
  };
}

const label = (en: string, zh: string) => ({ en, zh });

/** A form with a field of each kind. */
export const contactForm = {
  id: 'contact-form',
  type: 'form',
  title: label('Ask us', '联系我们'),
  uiFormName: 'questions',
  uiMailTo: 'questions@maple-and-clay.example',
  fields: [
    {
      name: 'name',
      nameContent: label('Your name', '姓名'),
      isRequired: true,
      fieldType: 'text',
      options: [],
      content: '',
    },
    {
      name: 'email',
      nameContent: label('Email', '电子邮箱'),
      isRequired: true,
      fieldType: 'email',
      options: [],
      content: '',
    },
    {
      name: 'phone',
      nameContent: label('Phone', '电话'),
      isRequired: false,
      fieldType: 'tel',
      options: [],
      content: '',
    },
    {
      name: 'topic',
      nameContent: label('Topic', '主题'),
      isRequired: true,
      fieldType: 'select',
      options: [label('Tea', '茶'), label('Pots', '壶')],
      content: '',
    },
    {
      name: 'text',
      nameContent: label('Question', '问题'),
      isRequired: true,
      fieldType: 'textarea',
      options: [],
      content: '',
    },
  ],
  submitLabel: label('Send', '提交'),
  submittedMessage: label('Thank you.', '谢谢。'),
} as const;
