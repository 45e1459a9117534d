/** Customers, a row each, as Shopify exports them in both of its forms. */
import { problem } from '#contract/problems.ts';
import { isEmail, isPhone } from '#contract/rules/email-and-phone.ts';
import type { Difference } from '#contract/rules/patch.ts';
import type { Database } from '#db/database.ts';
import type { BulkOutcome } from '#server/modules/changes/index.ts';
import type {
  CustomerPlan,
  FoundCustomer,
  ImportedCustomers,
  WrittenCustomer,
} from '#server/modules/customers/index.ts';
import { emailKeyOf, oneLine } from '#server/platform/text.ts';
import type { Sheet } from '../sheet/read-sheet.ts';
import {
  columnNames,
  type Entry,
  flagIn,
  type ImportKind,
  isRefused,
  type Judged,
  type Mapping,
  RowReader,
  rowsAtOnce,
  takenBackEach,
} from './kind.ts';

/** Without its address, if the file has none for it. */
interface Content extends FoundCustomer {
  /** Of the email, by which what files say of a person is found. */
  key: string;
  /** Of the cell that says where the address is. */
  place: readonly string[];
}

const names = columnNames({
  email: 'email|e-mail|email address|邮箱|电子邮箱|邮箱地址',
  firstName: 'first name|firstname|vorname|prénom|nombre|名|名字',
  lastName: 'last name|lastname|surname|nachname|apellidos|姓|姓氏',
  newsletter: 'accepts email marketing|accepts marketing|email marketing consent|newsletter|接受邮件营销',
  phone: 'phone|mobile|mobile phone|telefon|téléphone|手机|电话|手机号',
  addressPhone: 'default address phone',
  company: 'company|default address company|公司',
  address1: 'address1|default address address1|address|street|地址',
  address2: 'address2|default address address2',
  city: 'city|default address city|城市',
  province: 'province code|default address province code|province|state|省|省份',
  country: 'country code|default address country code|country|国家',
  zip: 'zip|default address zip|postal code|postcode|邮编',
  note: 'note|备注',
});
const mostLetters = 200;
const mostNote = 2000;

export interface CustomerKindDeps {
  db: Database;
  accounts: { imported: ImportedCustomers };
}

export function createCustomerKind({
  db,
  accounts: { imported: customers },
}: CustomerKindDeps): ImportKind<Content> {
  return {
    id: 'customers',
    uses: ['people', 'invite'],
    fields: names.fields,
    fieldOf: names.fieldOf,
    score: customersScore,
    read,
    judge: () => ({
      async of(entries) {
        const good = entries.filter(({ problems }) => !isRefused(problems));
        const plans = await customers.plan(
          db.read,
          good.map(({ content }) => content),
        );
        const byEntry = new Map(good.map((entry, at) => [entry, plans[at]]));
        return entries.map((entry) => judged(entry, byEntry.get(entry)));
      },
    }),
    async apply(change, rows, options) {
      const contents = rows.map(({ content }) => content);
      const plans = await customers.plan(change.trx, contents);
      const outcomes: BulkOutcome[] = [];
      for (const [at, { no, subject, content }] of rows.entries()) {
        const plan = plans[at];
        const written = plan && (await customers.write(change, content, plan, options));
        if (!written) outcomes.push({ no, subject, outcome: 'unchanged' });
        else
          outcomes.push({
            no,
            subject,
            outcome: written.isNew ? 'new' : 'changed',
            undo: written,
            fields: written.isNew ? [] : differencesOf(plan),
          });
      }
      return outcomes;
    },
    takeBack: (change, rows) =>
      takenBackEach(
        rows,
        async ({ undo }) => undo === null || customers.takeBack(change, JSON.parse(undo) as WrittenCustomer),
      ),
  };
}

/** Names are in it, or consent: other lists have emails as well. */
export function customersScore(columns: readonly string[]): number {
  const found = new Set(columns.map(names.fieldOf));
  const isOfPeople = found.has('email') && (found.has('firstName') || found.has('lastName'));
  return isOfPeople ? columns.filter((column) => names.fieldOf(column) !== null).length + 5 : 0;
}

function* read(sheet: Sheet, mapping: Mapping): Generator<Entry<Content> | null> {
  const reader = new RowReader(sheet, mapping);
  const lines = new Map<string, number>();
  for (const [at, row] of sheet.rows.entries()) {
    reader.row = row;
    const content = contentIn(reader);
    const { key: subject } = content;
    const first = lines.get(subject);
    if (!isEmail(content.email) || content.email.length > 254) reader.refuse('email', 'problem.sheet.email');
    else if (first === undefined) lines.set(subject, row.line);
    else reader.refuse('email', 'problem.sheet.emailTwice', { line: first });
    yield { subject: subject || '–', lines: [row.line], content, problems: reader.problems.splice(0) };
    if (at % rowsAtOnce === 0) yield null;
  }
}

function contentIn(reader: RowReader): Content {
  const text = (field: string) => oneLine(reader.text(field) ?? '').slice(0, mostLetters);
  const [phone, consent] = [text('phone'), text('newsletter')];
  if (phone !== '' && !isPhone(phone)) reader.warn('phone', 'problem.sheet.phone');
  if (consent !== '' && flagIn(consent) === null) reader.warn('newsletter', 'problem.sheet.flag');
  const street = ['company', 'address1', 'address2'].map(text).filter(Boolean);
  const address = {
    streetNumberAndNameDetails: street.join(', ').slice(0, mostLetters),
    city: text('city'),
    province: text('province'),
    postCode: text('zip'),
    countryISOCode: text('country'),
    contactPhone: isPhone(text('addressPhone')) ? text('addressPhone') : '',
  };
  return {
    key: emailKeyOf(text('email')),
    email: text('email'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    mobilePhone: isPhone(phone) ? phone : '',
    acceptNewsletter: flagIn(consent) === true,
    note: (reader.text('note') ?? '').trim().slice(0, mostNote),
    ...(text('address1') === '' && text('city') === '' ? {} : { address }),
    place: reader.at('country', 'problem.sheet.home').path,
  };
}

function judged({ content, problems: found }: Entry<Content>, plan: CustomerPlan | undefined): Judged {
  if (!plan) return { outcome: 'problem', fields: [], problems: found };
  const lost = plan.lacksAddress ? [problem(content.place, 'problem.sheet.home', { warning: 1 })] : [];
  const fields = plan.before ? differencesOf(plan) : [];
  const outcome = !plan.before ? 'new' : fields.length > 0 ? 'changed' : 'unchanged';
  return { outcome, fields, problems: [...found, ...lost] };
}

const differencesOf = ({ set }: CustomerPlan): Difference[] =>
  Object.entries(set).map(([field, to]) => ({ path: [field], from: '', to }));
