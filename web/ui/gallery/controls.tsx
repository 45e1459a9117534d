import { useState } from 'react';
import { Button, IconButton } from '../button.tsx';
import { Checkbox } from '../checkbox.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { iconPaths } from '../icon-paths.ts';
import { Frame, Section } from '../layout.tsx';
import { OptionChips } from '../option-chips.tsx';
import { QuantityStepper } from '../quantity-stepper.tsx';
import { RadioCards } from '../radio-cards.tsx';
import { Select } from '../select.tsx';
import { TextArea, TextField } from '../text-field.tsx';
import { useSay } from './words.ts';

export function Controls() {
  const say = useSay();
  const [colour, setColour] = useState<string | null>('sea');
  const [way, setWay] = useState<string | null>('pickup');
  const [count, setCount] = useState(1);
  return (
    <Frame width="form">
      <Section title={say('Buttons', '按钮')} className="stack">
        <div className="row">
          <Button icon="bag">{say('Add to cart', '加入购物车')}</Button>
          <Button variant="secondary">{say('Go on shopping', '继续购物')}</Button>
        </div>
        <div className="row">
          <Button disabled>{say('Sold out', '已售罄')}</Button>
          <Button variant="secondary" size="small">
            {say('Edit', '修改')}
          </Button>
          <Button variant="quiet">{say('Remove', '删除')}</Button>
          <IconButton icon="search" label={say('Search', '搜索')} />
        </div>
        <Button wide>{say('Pay $136.73', '支付 $136.73')}</Button>
        <div className="icons">
          {(Object.keys(iconPaths) as IconName[]).map((name) => (
            <Icon key={name} name={name} label={name} />
          ))}
        </div>
      </Section>
      <Section title={say('Choices', '选项')} className="stack">
        <OptionChips
          legend={say('Colour', '颜色')}
          value={colour}
          onChange={setColour}
          options={[
            { value: 'sea', label: say('Sea', '海蓝'), color: '#7fa3a3' },
            { value: 'oat', label: say('Oat', '燕麦'), color: '#d8cdb8' },
            { value: 'rose', label: say('Rose', '玫瑰'), color: '#c99a8e', soldOut: true },
          ]}
        />
        <QuantityStepper value={count} onChange={setCount} />
        <RadioCards
          legend={say('How would you like to get it?', '您想怎样收货？')}
          value={way}
          onChange={setWay}
          options={[
            {
              value: 'shipping',
              title: say('Shipping', '配送'),
              note: say('2 to 5 business days in Canada', '加拿大境内 2 至 5 个工作日'),
              icon: 'truck',
            },
            {
              value: 'pickup',
              title: say('Pick up in store', '到店自取'),
              note: say('Free, ready in 2 hours', '免费，2 小时后可取'),
              icon: 'store',
            },
            {
              value: 'instore',
              title: say('At your table', '堂食'),
              note: say('Queen West is closed now', '皇后西街店现已打烊'),
              icon: 'cup',
              disabled: true,
            },
          ]}
        />
      </Section>
      <Section title={say('Fields', '表单')} className="stack">
        <TextField
          label={say('Email', '电子邮箱')}
          type="email"
          autoComplete="email"
          inputMode="email"
          defaultValue="mei@example"
          error={say('Your email needs an ending, such as .com', '邮箱地址缺少后缀，例如 .com')}
        />
        <TextField
          label={say('Phone', '电话')}
          optional={say('optional', '选填')}
          hint={say('Only if the courier cannot find you', '仅在快递员找不到您时使用')}
          type="tel"
          placeholder="416 555 0199"
        />
        <Select
          label={say('Province', '省份')}
          defaultValue="ON"
          options={[
            { value: 'ON', label: say('Ontario', '安大略省') },
            { value: 'QC', label: say('Quebec', '魁北克省') },
          ]}
        />
        <TextArea label={say('A note for us', '给我们的留言')} />
        <Checkbox label={say('Save this address to my profile', '将此地址保存到我的资料')} defaultChecked />
      </Section>
    </Frame>
  );
}
