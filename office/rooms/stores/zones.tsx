/** The zones to which a store delivers itself. */
import type { DeliveryZone, Point } from '#contract/schemas/store.ts';
import { Button } from '#ui/button.tsx';
import type { EditedDocument } from '../../lib/document.tsx';
import { ListOf, LocalTextOf, Mover, movedTo, NumberOf } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';

/** Degrees from the store to the corners of a new zone: about a kilometre. */
const nearby = 0.01;

export function Zones({ form, lat, lng }: { form: EditedDocument; lat: number; lng: number }) {
  const { t } = useLanguage();
  const zones = form.valueAt(['deliveryZones']) as DeliveryZone[];
  const ids = zones.map(({ id }) => id);
  const add = () => {
    const id = crypto.randomUUID().slice(0, 8);
    const corners = [
      [1, -1],
      [1, 1],
      [-1, 1],
      [-1, -1],
    ] as const;
    const zone = {
      id: `zone-${id}`,
      name: { en: '' },
      polygon: corners.map(([up, right]) => ({ lat: lat + up * nearby, lng: lng + right * nearby })),
      postalCodes: [],
      ...{ feeCents: 500, minimumCents: 2000, freeFromCents: null, minutes: 45 },
    } satisfies DeliveryZone;
    form.change(['deliveryZones', zone.id], zone);
  };
  return (
    <>
      <p className="text-ink-soft">{t('office.store.zonesHint')}</p>
      {zones.map(({ id }, index) => (
        <fieldset key={id} className="flex flex-col gap-5 rounded-md border border-line p-5">
          <legend className="px-2 font-semibold">{t('office.store.zone', { number: index + 1 })}</legend>
          <Zone form={form} id={id} />
          <div className="flex flex-wrap gap-3">
            <Mover
              index={index}
              count={ids.length}
              name={t('office.store.zone', { number: index + 1 })}
              onMove={(to) => form.change(['deliveryZones', '#'], movedTo(ids, index, to))}
            />
            <Button variant="secondary" onClick={() => form.change(['deliveryZones', id], undefined)}>
              {t('office.store.removeZone')}
            </Button>
          </div>
        </fieldset>
      ))}
      <Button variant="secondary" icon="plus" className="self-start" onClick={add}>
        {t('office.store.addZone')}
      </Button>
    </>
  );
}

function Zone({ form, id }: { form: EditedDocument; id: string }) {
  const { t } = useLanguage();
  const at = (field: string) => ['deliveryZones', id, field];
  return (
    <>
      <LocalTextOf form={form} path={at('name')} label={t('office.store.zoneName')} />
      <div className="grid gap-5 product:grid-cols-2">
        <NumberOf form={form} path={at('feeCents')} label={t('office.store.fee')} unit={100} />
        <NumberOf form={form} path={at('minimumCents')} label={t('office.store.minimum')} unit={100} />
        <NumberOf form={form} path={at('freeFromCents')} label={t('office.store.freeFrom')} unit={100} nullable />
        <NumberOf form={form} path={at('minutes')} label={t('office.store.minutes')} />
      </div>
      <ListOf
        form={form}
        path={at('postalCodes')}
        label={t('office.store.postalCodes')}
        hint={t('office.store.postalCodesHint')}
      />
      <ListOf<Point>
        form={form}
        path={at('polygon')}
        label={t('office.store.polygon')}
        hint={t('office.store.polygonHint')}
        separator={'\n'}
        print={({ lat, lng }) => `${lat}, ${lng}`}
        parse={(text) =>
          text
            .split('\n')
            .filter((line) => line.trim() !== '')
            .map((line) => {
              const [lat = '', lng = ''] = line.split(',');
              return { lat: Number(lat.trim() || Number.NaN), lng: Number(lng.trim() || Number.NaN) };
            })
        }
      />
    </>
  );
}
