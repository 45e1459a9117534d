/** The modifier groups of a product: which it asks for, in which order, and what is different there. */
import { useQuery } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import { edited } from '#contract/rules/patch.ts';
import type { ProductModifierGroup } from '#contract/schemas/modifier-input.ts';
import type { FormField } from '#contract/staff/forms.ts';
import type { GroupList } from '#contract/staff/modifiers.ts';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { Checkbox, Select } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import type { EditedDocument, Path } from '../../lib/document.tsx';
import { ChecksOf, EditedContext, Mover, NumberOf, pair, useEdited } from '../../lib/document-form.tsx';
import { useOffice } from '../../lib/me.tsx';
import { modifierGroupsQuery } from '../../lib/whole-lists.ts';

type Group = GroupList['groups'][number];

export function GroupsOf({ path, field }: { path: Path; field: FormField }) {
  const form = useEdited();
  const { t, locale, call } = useOffice();
  const { data } = useQuery(modifierGroupsQuery(call));
  const used = (form.valueAt(path) ?? []) as readonly ProductModifierGroup[];
  const groups = data?.groups ?? [];
  const nameOf = (id: string) => inLocale(groups.find((each) => each.id === id)?.name ?? { en: id }, locale);
  // A product without groups has no such field.
  const change = (next: readonly ProductModifierGroup[]) =>
    form.change(path, next.length === 0 ? undefined : next);
  const print = (list: unknown) =>
    ((list ?? []) as ProductModifierGroup[])
      .map(({ group }) => nameOf(group))
      .join(t('office.listSeparator'));
  const left = groups.filter(({ id }) => used.every(({ group }) => group !== id));
  return (
    <div className="flex flex-col gap-5">
      {field.hint && <p className="text-ink-soft text-sm">{t(field.hint)}</p>}
      <FieldError id="groups-error">{form.errorAt(path, t(field.label), print)}</FieldError>
      {used.map(({ group: id }, index) => (
        <fieldset key={id} className="flex flex-col gap-5 rounded-md border border-line p-4 product:p-5">
          <legend className="px-2 font-semibold">
            <Link href={`/office/menus/${encodeURIComponent(id)}`} className="underline">
              {nameOf(id)}
            </Link>
          </legend>
          <EditedContext value={inGroup(form, { path, used, change })}>
            <Own
              path={[...path, id]}
              fields={field.fields ?? []}
              group={groups.find((each) => each.id === id)}
            />
          </EditedContext>
          <div className="flex flex-wrap gap-3">
            <Mover
              {...{ index, count: used.length, name: nameOf(id) }}
              onMove={(to) =>
                change(used.toSpliced(index, 1).toSpliced(to, 0, ...used.slice(index, index + 1)))
              }
            />
            <Button
              label={t('office.remove')}
              variant="secondary"
              size="small"
              aria-label={`${t('office.remove')}: ${nameOf(id)}`}
              onClick={() => change(used.toSpliced(index, 1))}
            />
          </div>
        </fieldset>
      ))}
      {left.length > 0 && (
        <Select
          label={t('office.goods.addGroup')}
          placeholder={t('office.choose')}
          value=""
          options={left.map(({ id, name }) => ({ value: id, label: inLocale(name, locale) }))}
          onChange={({ target: { value } }) => value && change([...used, { group: value }])}
        />
      )}
    </div>
  );
}

interface Used {
  path: Path;
  used: readonly ProductModifierGroup[];
  change: (next: readonly ProductModifierGroup[]) => void;
}

/** The list as one whose entries are found by their group. */
function inGroup(form: EditedDocument, { path, used, change }: Used): EditedDocument {
  const [at, name] = [path.length, path.length + 1];
  return {
    ...form,
    valueAt: (of) => used.find(({ group }) => group === of[at])?.[of[name] as keyof ProductModifierGroup],
    change: (of, to) =>
      change(
        used.map((each) =>
          each.group === of[at] ? edited(each, [{ path: of.slice(name), to: to ?? undefined }]) : each,
        ),
      ),
  };
}

/** What is different for this product; empty: as the group has it. */
function Own({
  path,
  fields,
  group,
}: {
  path: Path;
  fields: readonly FormField[];
  group: Group | undefined;
}) {
  const form = useEdited();
  const { t, locale } = useOffice();
  const at = (name: string) => [...path, name];
  const labelOf = (name: string) =>
    t(fields.find((each) => each.path.join('.') === name)?.label ?? 'office.goods.group');
  const choices = group?.choices ?? [];
  const options = choices.map(({ name, nameContent }) => ({
    value: name,
    label: inLocale(nameContent, locale),
  }));
  const hasOwn = form.valueAt(at('defaults')) !== undefined;
  form.errorAt(at('group'), labelOf('group'));
  const asList: EditedDocument = {
    ...form,
    change: (of, to) =>
      form.change(of, of.at(-1) === 'hidden' && Array.isArray(to) && to.length === 0 ? undefined : to),
  };
  return (
    <EditedContext value={asList}>
      <div className={pair}>
        <NumberOf path={at('min')} label={labelOf('min')} placeholder={String(group?.min ?? '')} nullable />
        <NumberOf path={at('max')} label={labelOf('max')} placeholder={String(group?.max ?? '')} nullable />
      </div>
      <ChecksOf path={at('hidden')} label={labelOf('hidden')} options={options} />
      <Checkbox
        className="min-h-11 justify-center"
        label={t('office.goods.ownDefaults')}
        checked={hasOwn}
        onChange={({ target }) =>
          form.change(
            at('defaults'),
            target.checked ? choices.filter((each) => each.default > 0).map(({ name }) => name) : undefined,
          )
        }
      />
      {hasOwn && <ChecksOf path={at('defaults')} label={labelOf('defaults')} options={options} />}
    </EditedContext>
  );
}
