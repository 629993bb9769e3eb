setlocal commentstring=--\ %s comments=:-- expandtab shiftwidth=2 softtabstop=2
if has('nvim')
  lua require('halo').start()
endif
