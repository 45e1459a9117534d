/** What connects the shop with other machines: each with its fields, who set them, and a test. Secrets go in and never come out. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { groupBy } from '#contract/group-by.ts';
import {
  type ConnectionFieldId,
  type ConnectionName,
  type ConnectionState,
  type ConnectionsAnswer,
  connections,
  type FieldState,
  longestConnectionValue,
} from '#contract/staff/connections.ts';
import { isStaffKey, type StaffMessageKey } from '#contract/staff/messages.ts';
import { Accordion } from '#ui/accordion.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { fieldErrorsOf } from '#ui/errors.ts';
import { FormProblem, useForm } from '#ui/form.tsx';
import { formatDate } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

const queryKey = ['connections'];

export default function Connections() {
  const { t, call, queries } = useOffice();
  const { data, error } = useQuery({ queryKey, queryFn: () => call('connections') });
  const keep = (answer: ConnectionsAnswer) => queries.setQueryData(queryKey, answer);
  return (
    <div className="flex max-w-[48rem] flex-col gap-6">
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl">{t('office.connections')}</h1>
        <p className="text-ink-soft">{t('office.connections.lead')}</p>
      </header>
      <Problem error={error} />
      {data?.locked && <Locked why={data.locked} onForgotten={keep} />}
      <div>
        {data?.connections.map((each) => (
          <Connection key={each.name} connection={each} onSaved={keep} />
        ))}
      </div>
    </div>
  );
}

function Locked({ why, onForgotten }: { why: string; onForgotten: (answer: ConnectionsAnswer) => void }) {
  const { t, call } = useOffice();
  const forget = useMutation({ mutationFn: () => call('forgetLocked'), onSuccess: onForgotten });
  return (
    <Notice tone="bad" title={t('office.connections.locked')} silent>
      <p className="break-words">{why}</p>
      <p className="mt-2 text-ink-soft">{t('office.connections.forget.why')}</p>
      <Problem error={forget.error} />
      <Button className="mt-3" variant="secondary" busy={forget.isPending} onClick={() => forget.mutate()}>
        {t('office.connections.forget')}
      </Button>
    </Notice>
  );
}

interface ConnectionProps {
  connection: ConnectionState;
  onSaved: (answer: ConnectionsAnswer) => void;
}

function Connection({ connection, onSaved }: ConnectionProps) {
  const { t } = useOffice();
  const { name, on, problem } = connection;
  return (
    <div id={name}>
      <Accordion
        summary={t(`office.connections.${name}`)}
        aside={<span className="text-ink-soft text-sm">{t(on ? 'office.connections.on' : 'office.connections.off')}</span>}
        defaultOpen={window.location.hash === `#${name}`}
      >
        <div className="flex flex-col gap-5">
          <p className="text-ink-soft">{t(`office.connections.${name}.why`)}</p>
          {problem && <Notice tone="bad" title={t('office.connections.broken', { problem })} silent />}
          <ConnectionForm connection={connection} onSaved={onSaved} />
        </div>
      </Accordion>
    </div>
  );
}

const labelOf = (name: ConnectionName, field: string) =>
  `office.connections.${name}.${field}` as `office.connections.${ConnectionFieldId}`;

/** As they are saved; of secrets nothing. */
const shownValues = ({ name, fields }: ConnectionState): Record<string, string> =>
  Object.fromEntries(fields.map((each) => [each.name, each.value ?? connections[name][each.name]?.choices?.[0] ?? '']));

function ConnectionForm({ connection, onSaved }: ConnectionProps) {
  const { t, call } = useOffice();
  const { name, fields } = connection;
  const saved = shownValues(connection);
  const own = fields.filter(({ from }) => from !== 'environment');
  const form = useForm({
    initial: saved,
    send: (values) => {
      const changed = own.filter((each) => values[each.name] !== saved[each.name]);
      const edits = changed.map((each) => [each.name, values[each.name]?.trim() || null]);
      return call('saveConnection', { params: { name }, body: { fields: Object.fromEntries(edits) } });
    },
    onSent: (answer) => {
      onSaved(answer);
      const now = answer.connections.find((each) => each.name === name);
      if (now) form.setValues(shownValues(now));
    },
    rejectedFields: (error) =>
      Object.fromEntries(Object.entries(fieldErrorsOf(error)).map(([path, text]) => [path.replace(/^fields\./, ''), text])),
  });
  const isEdited = own.some((each) => form.values[each.name] !== saved[each.name]);
  const isSet = own.some(({ from }) => from !== 'none');
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <FormProblem>{form.problem}</FormProblem>
      <FromEnvironment name={name} fields={fields} />
      {own.map((field) => (
        <FieldOf key={field.name} name={name} field={field} form={form} />
      ))}
      {own.length > 0 && (
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={form.busy} disabled={!isEdited}>
            {t('office.connections.save')}
          </Button>
          {isSet && <Remove name={name} fields={own} onSaved={onSaved} onRemoved={form.setValues} />}
        </div>
      )}
      {!isEdited && connection.on && <Test name={name} />}
    </form>
  );
}

/** One line for each variable. */
function FromEnvironment({ name, fields }: { name: ConnectionName; fields: readonly FieldState[] }) {
  const { t } = useOffice();
  const set = fields.filter(({ from }) => from === 'environment');
  const byVariable = groupBy(set, (field) => connections[name][field.name]?.variable ?? '');
  if (set.length === 0) return null;
  return (
    <dl className="flex flex-col gap-3">
      {[...byVariable].map(([variable, of]) => (
        <div key={variable}>
          <dt className="font-semibold">{of.map((field) => t(labelOf(name, field.name))).join(', ')}</dt>
          <dd className="break-words text-ink-soft">{t('office.connections.inEnvironment', { variable })}</dd>
        </div>
      ))}
    </dl>
  );
}

interface FieldOfProps {
  name: ConnectionName;
  field: FieldState;
  form: Pick<ReturnType<typeof useForm<Record<string, string>, ConnectionsAnswer>>, 'field'>;
}

function FieldOf({ name, field, form }: FieldOfProps) {
  const { t } = useOffice();
  const facts = connections[name][field.name];
  const key = labelOf(name, field.name);
  const hint = `${key}.hint`;
  const words = {
    label: t(key),
    hint: [isStaffKey(hint) ? t(hint) : '', useStateText(field, facts?.secret ?? false)].filter(Boolean).join('. '),
  };
  if (facts?.choices)
    return (
      <Select
        {...form.field(field.name)}
        {...words}
        options={facts.choices.map((value) => ({ value, label: t(`${key}.${value}` as StaffMessageKey) }))}
      />
    );
  return (
    <TextField
      {...form.field(field.name)}
      {...words}
      type={facts?.secret ? 'password' : 'text'}
      autoComplete={facts?.secret ? 'new-password' : 'off'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={longestConnectionValue}
    />
  );
}

/** That a secret is set, by whom and when. */
function useStateText({ from, tail, by, at }: FieldState, isSecret: boolean): string {
  const { t, locale, shop } = useOffice();
  if (from === 'none' || from === 'environment' || at === null || !isSecret) return '';
  const time = formatDate(at, locale, shop.timeZone, 'dateTime');
  const who = by === null ? t('office.connections.setAt', { time }) : t('office.connections.setBy', { name: by, time });
  if (from === 'locked') return `${t('office.connections.isLocked')}, ${who}`;
  const set = tail === null ? t('office.connections.isSet') : t('office.connections.isSetTail', { tail });
  return `${set}, ${who}. ${t('office.connections.replace')}`;
}

function Test({ name }: { name: ConnectionName }) {
  const { t, call } = useOffice();
  const test = useMutation({ mutationFn: () => call('testConnection', { params: { name } }) });
  return (
    <div className="flex flex-col items-start gap-3">
      <Button variant="secondary" busy={test.isPending} onClick={() => test.mutate()}>
        {t(`office.connections.${name}.test`)}
      </Button>
      <Problem error={test.error} />
      {test.data && <Notice tone={test.data.works ? 'good' : 'bad'} title={test.data.text} />}
    </div>
  );
}

interface RemoveProps {
  name: ConnectionName;
  fields: readonly FieldState[];
  onSaved: (answer: ConnectionsAnswer) => void;
  onRemoved: (values: Record<string, string>) => void;
}

function Remove({ name, fields, onSaved, onRemoved }: RemoveProps) {
  const { t, call } = useOffice();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      call('saveConnection', { params: { name }, body: { fields: Object.fromEntries(fields.map((each) => [each.name, null])) } }),
    onSuccess: (answer) => {
      setAsking(false);
      onSaved(answer);
      const now = answer.connections.find((each) => each.name === name);
      if (now) onRemoved(shownValues(now));
    },
  });
  const label = t('office.connections.removeAll');
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`${label}: ${t(`office.connections.${name}`)}`}>
        <Problem error={remove.error} />
        <DialogActions>
          <Button busy={remove.isPending} onClick={() => remove.mutate()}>
            {label}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
