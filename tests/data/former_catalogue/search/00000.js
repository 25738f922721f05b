benchloomFound([["A walk","site","site/site-1.html#e3a66f0b14711","plans a walk."]]);
