/** What connects the shop with other machines: each with its fields, who set them, and a test. Secrets go in and never come out. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { longestConnectionValue } from '#contract/connection-fields.ts';
import { groupBy } from '#contract/group-by.ts';
import type { ConnectionState, ConnectionsAnswer, FieldState } from '#contract/staff/connections.ts';
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
import { connectionsQuery } from '../../lib/whole-lists.ts';
import { Printers } from './printers.tsx';

export default function Connections() {
  const { t, call, queries } = useOffice();
  const { data, error } = useQuery(connectionsQuery(call));
  const keep = (answer: ConnectionsAnswer) => queries.setQueryData(connectionsQuery(call).queryKey, answer);
  return (
    <div className="flex max-w-room flex-col gap-6">
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
  const text = useText();
  const { name, on, problem } = connection;
  return (
    <div id={name}>
      <Accordion
        summary={text(name, name)}
        aside={
          <span className="text-ink-soft text-sm">
            {t(on ? 'office.connections.on' : 'office.connections.off')}
          </span>
        }
        defaultOpen={window.location.hash === `#${name}`}
      >
        <div className="flex flex-col gap-5">
          <p className="text-ink-soft">{text(`${name}.why`, '')}</p>
          {problem && <Notice tone="bad" title={t('office.connections.broken', { problem })} silent />}
          <ConnectionForm connection={connection} onSaved={onSaved} />
        </div>
      </Accordion>
    </div>
  );
}

/** A text of a connection. A provider that brings none is called as it calls itself. */
function useText() {
  const { t } = useOffice();
  return (id: string, other: string): string => {
    const key = `office.connections.${id}`;
    return isStaffKey(key) ? t(key as StaffMessageKey) : other;
  };
}

/** As they are saved; of secrets nothing. */
const shownValues = ({ fields }: ConnectionState): Record<string, string> =>
  Object.fromEntries(fields.map((each) => [each.name, each.value ?? each.choices[0] ?? '']));

function ConnectionForm({ connection, onSaved }: ConnectionProps) {
  const { t, call } = useOffice();
  const { name, fields } = connection;
  const saved = shownValues(connection);
  const own = fields.filter(({ from }) => from !== 'environment');
  const show = (answer: ConnectionsAnswer) => {
    onSaved(answer);
    const now = answer.connections.find((each) => each.name === name);
    if (now) form.setValues(shownValues(now));
  };
  const form = useForm({
    initial: saved,
    send: (values) => {
      const changed = own.filter((each) => values[each.name] !== saved[each.name]);
      const edits = changed.map((each) => [each.name, values[each.name]?.trim() || null]);
      return call('saveConnection', { params: { name }, body: { fields: Object.fromEntries(edits) } });
    },
    onSent: show,
    rejectedFields: (error) =>
      Object.fromEntries(
        Object.entries(fieldErrorsOf(error)).map(([path, text]) => [path.replace(/^fields\./, ''), text]),
      ),
  });
  const isEdited = own.some((each) => form.values[each.name] !== saved[each.name]);
  const isSet = own.some(({ from }) => from !== 'none');
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <FormProblem>{form.problem}</FormProblem>
      <FromEnvironment name={name} fields={fields} />
      {own.map((field) =>
        name === 'printers' ? (
          <Printers
            key={field.name}
            value={form.values[field.name] ?? ''}
            error={form.errors[field.name]}
            onChange={(list) => form.change({ [field.name]: list })}
          />
        ) : (
          <FieldOf key={field.name} name={name} field={field} form={form} />
        ),
      )}
      {own.length > 0 && (
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={form.busy} disabled={!isEdited}>
            {t('office.connections.save')}
          </Button>
          {isSet && <Remove name={name} fields={own} onRemoved={show} />}
        </div>
      )}
      {!isEdited && connection.on && <Test name={name} />}
    </form>
  );
}

/** One line for each variable. */
function FromEnvironment({ name, fields }: { name: string; fields: readonly FieldState[] }) {
  const { t } = useOffice();
  const text = useText();
  const set = fields.filter(({ from }) => from === 'environment');
  const byVariable = groupBy(set, ({ variable }) => variable);
  if (set.length === 0) return null;
  return (
    <dl className="flex flex-col gap-3">
      {[...byVariable].map(([variable, of]) => (
        <div key={variable}>
          <dt className="font-semibold">
            {of.map((field) => text(`${name}.${field.name}`, field.name)).join(t('office.listSeparator'))}
          </dt>
          <dd className="break-words text-ink-soft">{t('office.connections.inEnvironment', { variable })}</dd>
        </div>
      ))}
    </dl>
  );
}

interface FieldOfProps {
  name: string;
  field: FieldState;
  form: Pick<ReturnType<typeof useForm<Record<string, string>, ConnectionsAnswer>>, 'field'>;
}

function FieldOf({ name, field, form }: FieldOfProps) {
  const text = useText();
  const { secret, choices } = field;
  const id = `${name}.${field.name}`;
  const hint = [text(`${id}.hint`, ''), useStateText(field)].filter(Boolean).join('. ');
  const words = { label: text(id, field.variable), hint };
  if (choices.length > 0)
    return (
      <Select
        {...form.field(field.name)}
        {...words}
        options={choices.map((value) => ({ value, label: text(`${id}.${value}`, value) }))}
      />
    );
  return (
    <TextField
      {...form.field(field.name)}
      {...words}
      type={secret ? 'password' : 'text'}
      autoComplete={secret ? 'new-password' : 'off'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={longestConnectionValue}
    />
  );
}

/** That a secret is set, by whom and when. */
function useStateText({ from, secret, tail, by, at }: FieldState): string {
  const { t, locale, shop } = useOffice();
  if (from === 'none' || from === 'environment' || at === null || !secret) return '';
  const time = formatDate(at, locale, shop.timeZone, 'dateTime');
  const who =
    by === null ? t('office.connections.setAt', { time }) : t('office.connections.setBy', { name: by, time });
  if (from === 'locked') return `${t('office.connections.isLocked')}, ${who}`;
  const set = tail === null ? t('office.connections.isSet') : t('office.connections.isSetTail', { tail });
  return `${set}, ${who}. ${t('office.connections.replace')}`;
}

function Test({ name }: { name: string }) {
  const { t, call } = useOffice();
  const text = useText();
  const test = useMutation({ mutationFn: () => call('testConnection', { params: { name } }) });
  return (
    <div className="flex flex-col items-start gap-3">
      <Button variant="secondary" busy={test.isPending} onClick={() => test.mutate()}>
        {text(`${name}.test`, t('office.connections.test'))}
      </Button>
      <Problem error={test.error} />
      {test.data && <Notice tone={test.data.works ? 'good' : 'bad'} title={test.data.text} />}
    </div>
  );
}

interface RemoveProps {
  name: string;
  fields: readonly FieldState[];
  onRemoved: (answer: ConnectionsAnswer) => void;
}

function Remove({ name, fields, onRemoved }: RemoveProps) {
  const { t, call } = useOffice();
  const text = useText();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      call('saveConnection', {
        params: { name },
        body: { fields: Object.fromEntries(fields.map((each) => [each.name, null])) },
      }),
    onSuccess: (answer) => {
      setAsking(false);
      onRemoved(answer);
    },
  });
  const label = t('office.connections.removeAll');
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`${label}: ${text(name, name)}`}>
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
