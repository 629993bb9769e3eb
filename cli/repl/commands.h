// One function per command of the REPL, as the table in command.cpp lists them.
#pragma once

#include <string>

namespace halo::repl {

class Repl;

// commands_session.cpp
bool runHelp(Repl& repl, const std::string& argument);
bool runQuit(Repl& repl, const std::string& argument);
bool runLoad(Repl& repl, const std::string& argument);
bool runReload(Repl& repl, const std::string& argument);
bool runReset(Repl& repl, const std::string& argument);
bool runClear(Repl& repl, const std::string& argument);
bool runCd(Repl& repl, const std::string& argument);
bool runPwd(Repl& repl, const std::string& argument);

// commands_engine.cpp
bool runBackend(Repl& repl, const std::string& argument);
bool runDevice(Repl& repl, const std::string& argument);
bool runSet(Repl& repl, const std::string& argument);
bool runTime(Repl& repl, const std::string& argument);
bool runBench(Repl& repl, const std::string& argument);

// commands_inspect.cpp
bool runType(Repl& repl, const std::string& argument);
bool runDoc(Repl& repl, const std::string& argument);
bool runInfo(Repl& repl, const std::string& argument);
bool runCore(Repl& repl, const std::string& argument);
bool runLlvm(Repl& repl, const std::string& argument);
bool runGlsl(Repl& repl, const std::string& argument);

// commands_picture.cpp
bool runSave(Repl& repl, const std::string& argument);
bool runImg(Repl& repl, const std::string& argument);
bool runPlot(Repl& repl, const std::string& argument);

}  // namespace halo::repl
