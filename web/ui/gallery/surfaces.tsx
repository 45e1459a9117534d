import { useState } from 'react';
import { Accordion } from '../accordion.tsx';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Drawer } from '../drawer.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Frame, Section } from '../layout.tsx';
import { LinkButton } from '../link-button.tsx';
import { Notice, Toast } from '../notice.tsx';
import { SkeletonText } from '../skeleton.tsx';
import { useSay } from './words.ts';

export function Surfaces() {
  const say = useSay();
  const [open, setOpen] = useState<'dialog' | 'drawer' | 'toast' | null>(null);
  const close = () => setOpen(null);
  const care = say(
    'Thrown by hand on the wheel and glazed in small batches. Dishwasher safe; the foot is bare clay, so set it on wood.',
    '手工拉坯，小批量上釉。可用洗碗机清洗；杯底为素胎，宜置于木面。',
  );
  return (
    <Frame width="prose">
      <Section title={say('Messages', '提示')} className="stack">
        <Notice silent>{say('Orders before 2 pm leave today.', '下午两点前下单，当日发货。')}</Notice>
        <Notice silent tone="good" title={say('Added to your cart', '已加入购物车')} onClose={close}>
          {say('Speckled mug, Sea', '斑点马克杯（海蓝）')}
        </Notice>
        <Notice silent tone="bad">
          {say('Celadon teapot is out of stock', '青瓷茶壶缺货')}
        </Notice>
        <div className="row">
          <Button variant="secondary" onClick={() => setOpen('dialog')} data-open="dialog">
            Dialog
          </Button>
          <Button variant="secondary" onClick={() => setOpen('drawer')} data-open="drawer">
            Drawer
          </Button>
          <Button variant="secondary" onClick={() => setOpen('toast')} data-open="toast">
            Toast
          </Button>
        </div>
        {open === 'toast' && (
          <Toast tone="good" onClose={close}>
            {say('Added to your cart', '已加入购物车')}
          </Toast>
        )}
      </Section>
      <Section title={say('Folds', '折叠')}>
        <Accordion summary={say('Order summary', '订单摘要')} aside="$136.73">
          {care}
        </Accordion>
        <Accordion summary={say('Care', '保养')} defaultOpen>
          {care}
        </Accordion>
        <SkeletonText />
      </Section>
      <EmptyState
        icon="bag"
        title={say('Your cart is empty', '购物车还是空的')}
        actions={<LinkButton href="/">{say('See what is new', '看看新品')}</LinkButton>}
      >
        {say('Cups that feel right in the hand are a good place to begin.', '从一只称手的杯子开始吧。')}
      </EmptyState>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title={say('Transaction Error', '交易失败')}
        actions={<Button onClick={close}>{say('Try again', '重试')}</Button>}
      >
        <p>{care}</p>
      </Dialog>
      <Drawer
        open={open === 'drawer'}
        onClose={close}
        title={say('Menu', '菜单')}
        side="start"
        foot={<Button wide>{say('Check out', '去结算')}</Button>}
      >
        <p>{care}</p>
      </Drawer>
    </Frame>
  );
}
